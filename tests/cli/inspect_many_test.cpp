// inspect --input: every line of a file.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::says;
using testing::write_small_model;

class InspectMany : public ::testing::Test {
 protected:
  Folder folder_;
  std::string model_ = write_small_model(folder_);
  std::string text_ = folder_.write("in.txt", "a b c\n\nthe black cat .\n");

  std::string path(const std::string& name) const { return folder_.path(name); }

  Outcome inspect(std::vector<std::string> more) const {
    more.insert(more.begin(), {"inspect", "-m", model_});
    return run_regard(more, {.input = "d e\nf\n"});
  }

  std::vector<std::string> sorted_names() const {
    std::vector<std::string> names = folder_.names();
    std::ranges::sort(names);
    return names;
  }
};

TEST_F(InspectMany, WritesAJsonObjectALine) {
  const Outcome all = inspect({"-i", text_, "--json"});
  ASSERT_EQ(all.code, 0) << all.err;
  const std::vector<std::string> lines = lines_of(all.out);
  ASSERT_EQ(lines.size(), 3u);
  const std::vector<std::string> texts{"a b c", "", "the black cat ."};
  for (std::size_t i = 0; i < 3; ++i) {
    auto one = nlohmann::json::parse(lines[i]);
    auto alone = inspect({texts[i].empty() ? " " : texts[i], "--json"}).json();
    EXPECT_EQ(one["source"]["text"], texts[i]);
    one.erase("timing_ms"), alone.erase("timing_ms");
    EXPECT_EQ(one, alone) << "a sentence knows no other";
  }
  ASSERT_EQ(inspect({"-i", text_, "--trace", path("all.jsonl"), "-q"}).code, 0);
  EXPECT_EQ(lines_of(folder_.read("all.jsonl")).size(), 3u);
  EXPECT_EQ(lines_of(inspect({"-i", "-", "--json"}).out).size(), 2u);
}

TEST_F(InspectMany, NumbersItsFiles) {
  const Outcome all =
      inspect({"-i", text_, "--svg", path("cat.svg"), "--npz", path("cat.npz"), "-q"});
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(lines_of(all.out).size(), 3u) << "a translation a line";
  EXPECT_EQ(sorted_names(), (std::vector<std::string>{
                                "cat-0001.npz", "cat-0001.svg", "cat-0002.npz", "cat-0002.svg",
                                "cat-0003.npz", "cat-0003.svg", "in.txt", "m"}));
  EXPECT_TRUE(says(folder_.read("cat-0003.svg"), "the black cat ."));
  EXPECT_EQ(folder_.read("cat-0001.svg"), inspect({"a b c", "--svg", "-"}).out);
  const Outcome again = inspect({"-i", text_, "--svg", path("cat.svg")});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(says(again.err, "cat-0001.svg is there already")) << again.err;
  EXPECT_EQ(inspect({"-i", text_, "--svg", path("cat.svg"), "--overwrite"}).code, 0);
  const std::string shown = inspect({"-i", text_}).out;
  EXPECT_TRUE(says(shown, "source       a b c\n"));
  EXPECT_TRUE(says(shown, "\n\nsource       the black cat .\n"));
}

TEST_F(InspectMany, WritesAllOrNothing) {
  std::string longer = "a b\n";
  for (int i = 0; i < 300; ++i) longer += "a ";
  const std::string bad = folder_.write("bad.txt", longer + "\nc\n");
  const Outcome refused = inspect({"-i", bad, "--png", path("x.png"), "--json"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(says(refused.err, "bad.txt:2: the text has 300 tokens")) << refused.err;
  EXPECT_EQ(sorted_names(), (std::vector<std::string>{"bad.txt", "in.txt", "m"}));
  // Lines that are done are kept, as translate keeps them.
  const Outcome kept = inspect({"-i", bad, "--trace", path("t.jsonl"), "-q"});
  EXPECT_EQ(kept.code, 3);
  EXPECT_EQ(lines_of(folder_.read("t.jsonl.part")).size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(path("t.jsonl")));
}

TEST_F(InspectMany, SaysWhatIsWrong) {
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string says;
  };
  for (const Case& each : std::vector<Case>{
           {{"-i", text_, "a b"}, 2, "given twice"},
           {{"-i", text_, "--reference", "A"}, 2, "--reference is the translation of one"},
           {{"-i", text_, "--png", "-"}, 2, "cannot hold many sentences"},
           {{"-i", ""}, 2, "--input needs the name"},
           {{"-i", path("none")}, 3, "none"},
           {{"-i", folder_.write("empty", "")}, 3, "no lines to inspect"},
           {{"-i", text_, "--trace", text_, "--overwrite"}, 2, "would overwrite the input"},
           {{"-i", text_, "--svg", path("nodir/a.svg")}, 4, "there is no folder"}}) {
    const Outcome refused = inspect(each.arguments);
    EXPECT_EQ(refused.code, each.code) << each.says << ": " << refused.err;
    EXPECT_TRUE(says(refused.err, each.says)) << refused.err;
  }
  EXPECT_EQ(folder_.read("in.txt"), "a b c\n\nthe black cat .\n");
  // A numbered file may be the input by another name.
  std::filesystem::create_symlink(text_, path("y-0002.csv"));
  EXPECT_EQ(inspect({"-i", text_, "--csv", path("y.csv"), "--overwrite"}).code, 2);
  EXPECT_EQ(folder_.read("in.txt"), "a b c\n\nthe black cat .\n");
}

}  // namespace
}  // namespace regard
