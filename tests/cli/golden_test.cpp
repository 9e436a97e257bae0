// What a release has written is read by all that come after it. golden/VERSION is a run of that
// release: the built-in corpus, 24 pairs, 60 updates, the widths of its recipe.toml.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;

const std::filesystem::path kGolden = REGARD_SOURCE_DIR "/tests/cli/golden";

class Golden : public ::testing::TestWithParam<std::string> {
 protected:
  Folder folder_;
  std::string run_ = folder_.path("run");

  void SetUp() override {
    std::filesystem::copy(kGolden / GetParam(), run_, std::filesystem::copy_options::recursive);
  }
};

TEST_P(Golden, ModelSaysWhatItSaid) {  // covers CK17
  const Outcome scored = run_regard(
      {"score", "--model", run_}, {.input = "the black cat sees you .\tle chat noir te voit .\n"});
  EXPECT_EQ(scored.code, 0) << scored.err;
  EXPECT_EQ(scored.out, "-30.5468\n");
}

// The built-in corpus of 0.1.0 was other text, so the run goes on only if that is wanted.
TEST_P(Golden, RunGoesOn) {  // covers CK17
  // Its settings are given again, but for one whose default has changed since.
  std::string recipe = folder_.read("run/recipe.toml");
  const std::string changed = "split_punctuation = false  # default\n";
  ASSERT_NE(recipe.find(changed), std::string::npos);
  recipe.replace(recipe.find(changed), changed.size(), "");
  const std::string again = folder_.write("again.toml", recipe);
  const Outcome refused = run_regard({"train", "--model", run_, "--config", again});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("the text has changed since this run started (train, valid)"),
            std::string::npos)
      << refused.err;
  const Outcome more = run_regard({"train", "--model", run_, "--steps", "64", "--force"});
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_NE(more.err.find("resuming from step 60"), std::string::npos) << more.err;
  EXPECT_TRUE(std::filesystem::exists(run_ + "/checkpoints/ckpt-64"));
}

INSTANTIATE_TEST_SUITE_P(Of, Golden, ::testing::Values("0.1.0"),
                         [](const auto&) { return std::string("Version0_1_0"); });

}  // namespace
}  // namespace regard
