// `regard corpus builtin:scenes`: pictures, captions and boxes.
#include <gtest/gtest.h>

#include "regard/image/captioned_files.h"
#include "regard/image/scenes/caption.h"
#include "regard/image/scenes/corpus.h"
#include "regard/image/scenes/paint.h"
#include "regard/viewer/text.h"
#include "tests/cli/fault_program.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::tree_of;

std::vector<std::string> scenes_command(std::vector<std::string> more) {
  more.insert(more.begin(), {"corpus", "builtin:scenes"});
  return more;
}

TEST(ScenesCommand, WritesPicturesWithTheirCaptions) {
  const Folder folder;
  const Outcome outcome = run_regard(scenes_command(
      {"--split", "test", "--pairs", "30", "--seed", "4", "--out", folder.path("deep/d")}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_EQ(tree_of(folder.path("deep/d")).size(), 30u + 1 + 3);  // and their folder
  for (const std::string language : {"en", "fr"}) {
    const std::string list = folder.path("deep/d/test." + language + ".tsv");
    const std::vector<CaptionedFile> files = read_captioned_files(list);
    ASSERT_EQ(files.size(), 30u);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const scenes::Scene scene =
          scenes::scene({.split = Split::test, .seed = 4}, static_cast<Index>(i));
      EXPECT_EQ(files[i].caption, scenes::caption(scene.content, language).text);
      EXPECT_EQ(read_picture(list, files[i]), scenes::painted(scene));
    }
  }
}

TEST(ScenesCommand, WritesTheBoxOfTheObjectThatAWordNames) {
  const Folder folder;
  const auto arguments = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--split", "test", "--pairs", "12"});
    return scenes_command(more);
  };
  ASSERT_EQ(run_regard(arguments({"--out", folder.path("d")})).code, 0);
  const std::string written = folder.read("d/test.boxes.jsonl");
  EXPECT_EQ(run_regard(arguments({"--json"})).out, written);
  Index i = 0;
  std::string captions;
  for (const std::string& line : lines_of(written)) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json["unseen"], i % 2 == 1);
    EXPECT_TRUE(std::filesystem::exists(folder.path("d/" + json["picture"].get<std::string>())));
    const scenes::Scene scene = scenes::scene({.split = Split::test}, i++);
    ASSERT_EQ(json["objects"].size(), scene.placed.size());
    for (std::size_t object = 0; object < scene.placed.size(); ++object) {
      const PixelBox box = scenes::box_of(scene, object);
      EXPECT_EQ(json["objects"][object]["box"],
                nlohmann::json({box.x, box.y, box.width, box.height}));
    }
    for (const char* language : {"en", "fr"}) {
      const auto& said = json[language];
      const std::vector<char32_t> caption = code_points(said["caption"].get<std::string>());
      EXPECT_EQ(said["words"].size(), 3 * scene.placed.size());
      for (const auto& word : said["words"])
        EXPECT_EQ(code_points(word["word"].get<std::string>()),
                  std::vector<char32_t>(caption.begin() + word["from"].get<Index>(),
                                        caption.begin() + word["to"].get<Index>()));
    }
    captions += json["en"]["caption"].get<std::string>() + "\t" +
                json["fr"]["caption"].get<std::string>() + "\n";
  }
  EXPECT_EQ(run_regard(arguments({})).out, captions);
}

TEST(ScenesCommand, ReplacesOnlyWhatItIsToldToAndOnlyItsOwn) {
  const Folder folder;
  const auto write = [&](const std::string& seed, const std::string& pairs, bool overwrite) {
    std::vector<std::string> arguments =
        scenes_command({"--seed", seed, "--pairs", pairs, "--out", folder.path("d")});
    if (overwrite) arguments.push_back("--overwrite");
    return run_regard(arguments);
  };
  std::filesystem::create_directories(folder.path("d/train"));
  folder.write("d/train/mine", "mine");
  ASSERT_EQ(write("1", "4", false).code, 0);
  const auto first = tree_of(folder.path("d"));
  EXPECT_EQ(first.size(), 4u + 1 + 1 + 3);
  const Outcome again = write("2", "3", false);
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("000000.png is there already"), std::string::npos) << again.err;
  EXPECT_EQ(tree_of(folder.path("d")), first);
  ASSERT_EQ(write("2", "3", true).code, 0);
  EXPECT_NE(folder.read("d/train/000000.png"), first.at("train/000000.png"));
  EXPECT_EQ(folder.read("d/train/mine"), "mine");
  EXPECT_EQ(lines_of(folder.read("d/train.fr.tsv")).size(), 3u);
  EXPECT_EQ(tree_of(folder.path("d")).size(), first.size());
}

TEST(ScenesCommand, LeavesNothingWhenItIsStopped) {
  const Folder folder;
  const std::string command = "timeout --foreground --preserve-status -s INT 0.4 " REGARD_PROGRAM
                              " corpus builtin:scenes --pairs 100000 --out '" +
                              folder.path("d") + "' 2>'" + folder.path("err") + "'";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 128 + SIGINT);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"err"}));
  EXPECT_EQ(folder.read("err"), "");
}

TEST(ScenesCommand, Refuses) {
  const Folder folder;
  const std::string file = folder.write("file", "a\tA\n");
  struct Row {
    std::vector<std::string> arguments;
    const char* message;
  };
  for (const Row& row : std::vector<Row>{{{"--pairs", "100001"}, "at most 100000"},
                                         {{"--pairs", "0"}, "--pairs"},
                                         {{"--split", "rest"}, "known: train, valid, test"},
                                         {{"--check"}, "files of your own"},
                                         {{"--max-words", "3"}, "files of your own"},
                                         {{file}, "a corpus by itself"},
                                         {{"--out", ""}, "--out"},
                                         {{"--out", file}, "file"}}) {
    const Outcome outcome = run_regard(scenes_command(row.arguments));
    EXPECT_TRUE(outcome.code == 2 || outcome.code == 4) << outcome.code;
    EXPECT_NE(outcome.err.find(row.message), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  const Outcome text =
      run_regard({"vocab", "--input", "builtin:scenes", "--out", folder.path("v")});
  EXPECT_NE(text.code, 0);
  const Outcome near = run_regard({"corpus", "builtin:scene"});
  EXPECT_EQ(near.code, 2);
  EXPECT_NE(near.err.find("builtin:scenes"), std::string::npos) << near.err;
}

}  // namespace
}  // namespace regard
