// What was done before something went wrong is there to be used.
#include <gtest/gtest.h>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

class LostNothing : public ::testing::Test {
 protected:
  Folder folder_;
  std::string model_ = write_small_model(folder_);
  std::string out_ = folder_.path("out");

  void expect_kept(const Outcome& outcome, const std::string& content) const {
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(std::filesystem::exists(out_));
    EXPECT_EQ(folder_.read("out.part"), content);
    const std::vector<std::string> said = lines_of(outcome.err);
    ASSERT_EQ(said.size(), 2u) << outcome.err;
    EXPECT_EQ(said[0], "regard: ended early; what was done is in " + out_ + ".part");
    EXPECT_TRUE(said[1].starts_with("regard: error: ")) << said[1];
  }
};

/// More lines than one thread translates at a time, and not a multiple of that.
std::string six_hundred_lines() {
  std::string text;
  for (int i = 0; i < 600; ++i) text += i % 3 == 0 ? "a b c\n" : "the black cat .\n";
  return text;
}

TEST_F(LostNothing, LinesBeforeACutAreTranslated) {  // covers CL2
  const std::string whole = folder_.write("in", six_hundred_lines()), cut = folder_.path("in.gz");
  ASSERT_EQ(std::system(("gzip -c '" + whole + "' >'" + cut + "'").c_str()), 0);
  constexpr std::uintmax_t kChecksum = 8;  // the end of a gzip file, after all of its text
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - kChecksum);
  const auto translate = [&](const std::string& input, const std::vector<std::string>& more) {
    std::vector<std::string> all{"translate", "-m",           model_, "--threads", "1",  "--beam",
                                 "1",         "--max-length", "3",    "-i",        input};
    all.insert(all.end(), more.begin(), more.end());
    return run_regard(all);
  };
  const Outcome good = translate(whole, {});
  ASSERT_EQ(good.code, 0) << good.err;
  ASSERT_EQ(lines_of(good.out).size(), 600u);

  const Outcome shown = translate(cut, {});
  EXPECT_EQ(shown.code, 3) << shown.err;
  EXPECT_EQ(shown.out, good.out);
  EXPECT_TRUE(shown.err.starts_with("regard: error: " + cut + ": @")) << shown.err;

  expect_kept(translate(cut, {"-o", out_}), good.out);

  ASSERT_EQ(std::system(("gzip -c '" + whole + "' >'" + cut + "'").c_str()), 0);
  std::string wrong = folder_.read("in.gz");
  wrong[wrong.size() - kChecksum] ^= 1;
  folder_.write("in.gz", wrong);
  const Outcome damaged = translate(cut, {});
  EXPECT_EQ(damaged.code, 3) << damaged.err;
  EXPECT_EQ(damaged.out, good.out);

  const std::vector<std::string> objects = lines_of(translate(cut, {"--json"}).out);
  ASSERT_EQ(objects.size(), 601u);
  EXPECT_EQ(nlohmann::json::parse(objects.back())["error"]["file"], cut);
}

TEST_F(LostNothing, ScoresBeforeABadLineAreThere) {  // covers CL2
  std::string pairs;
  for (int i = 0; i < 1100; ++i) pairs += i % 2 == 0 ? "a b c\tA\n" : "d\tB C\n";
  const std::string bad = pairs + "no tab\n";
  const Outcome good = run_regard({"score", "-m", model_}, {.input = pairs});
  ASSERT_EQ(good.code, 0) << good.err;
  const Outcome shown = run_regard({"score", "-m", model_}, {.input = bad});
  EXPECT_EQ(shown.code, 3) << shown.err;
  EXPECT_EQ(shown.out, good.out);
  expect_kept(run_regard({"score", "-m", model_, "-o", out_}, {.input = bad}), shown.out);
}

TEST_F(LostNothing, WhereNothingWasDoneNothingStays) {
  const Outcome none = run_regard({"score", "-m", model_, "-o", out_}, {.input = "no tab\n"});
  EXPECT_EQ(none.code, 3) << none.err;
  EXPECT_EQ(lines_of(none.err).size(), 1u) << none.err;
  for (const char* name : {"out", "out.part"})
    EXPECT_FALSE(std::filesystem::exists(folder_.path(name))) << name;

  folder_.write("out.part", "of an earlier run\n");
  EXPECT_EQ(run_regard({"score", "-m", model_, "-o", out_}, {.input = "no tab\n"}).code, 3);
  EXPECT_EQ(folder_.read("out.part"), "of an earlier run\n");
  EXPECT_EQ(run_regard({"score", "-m", model_, "-o", out_}, {.input = ""}).code, 0);
  EXPECT_EQ(folder_.read("out"), "");
}

TEST_F(LostNothing, LinesBeforeTheDiskWasFullAreThere) {
  std::string pairs;
  for (int i = 0; i < 8; ++i) pairs += "a b c\tA\n";
  const std::string good = run_regard({"score", "-m", model_}, {.input = pairs}).out;
  const std::size_t line = good.find('\n') + 1;
  const Outcome full = run_regard({"score", "-m", model_, "-o", out_},
                                  {.input = pairs, .largest_file = line * 5 / 2});
  EXPECT_EQ(full.code, 4) << full.err;
  EXPECT_EQ(folder_.read("out.part"), good.substr(0, 2 * line));
}

}  // namespace
}  // namespace regard
