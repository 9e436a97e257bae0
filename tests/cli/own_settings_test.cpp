// A model whose encoder, decoder and cross-attention have settings of their own, in the program.
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;

std::string write_own(const Folder& folder) {
  return testing::write_small_model(folder, {.encoder = {.heads = 4, .window = 1},
                                             .decoder = {.window = 2},
                                             .cross = {.mechanism = "cosine", .heads = 1},
                                             .encoder_norm = "pre"});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(OwnSettings, AreTold) {
  const Folder folder;
  const std::string model = write_own(folder);
  const std::string text = run_regard({"info", model}).out;
  EXPECT_TRUE(has(text, "heads encoder 4, decoder 2, cross 1,")) << text;
  EXPECT_TRUE(has(text, "encoder scaled-dot, decoder scaled-dot, cross cosine,")) << text;
  EXPECT_TRUE(has(text, "encoder pre-norm, decoder post-norm, encoder window 1, decoder window 2"))
      << text;
  const std::string plain = run_regard({"info", testing::write_small_model(folder, {}, "p")}).out;
  EXPECT_TRUE(has(plain, "heads 2,")) << plain;
  EXPECT_TRUE(has(plain, "scaled-dot, positions sinusoidal, post-norm\n")) << plain;
}

TEST(OwnSettings, DecideWhichHeadsThereAre) {
  const Folder folder;
  const std::string model = write_own(folder);
  EXPECT_EQ(
      run_regard({"inspect", "--model", model, "a b", "--kind", "encoder", "--head", "4"}).code, 0);
  for (const auto& [kind, head, says] : {std::tuple("encoder", "5", "encoder self-attention has 4"),
                                         std::tuple("decoder", "3", "decoder self-attention has 2"),
                                         std::tuple("cross", "2", "cross-attention has 1")}) {
    const Outcome outcome =
        run_regard({"inspect", "--model", model, "a b", "--kind", kind, "--head", head});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(has(outcome.err, says)) << outcome.err;
  }
}

TEST(OwnSettings, HideWhatIsOutsideTheWindow) {
  const Folder folder;
  const std::string model = write_own(folder);
  for (const auto& [kind, back, ahead] :
       {std::tuple("encoder", 1, 1), std::tuple("decoder", 2, 0)}) {
    const Outcome outcome =
        run_regard({"inspect", "--model", model, "a b c d e f", "--reference", "A B C D E",
                    "--kind", kind, "--head", "1.1", "--csv", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> lines = testing::lines_of(outcome.out);
    ASSERT_GT(lines.size(), 30u);
    for (std::size_t i = 1; i < lines.size(); ++i) {  // panel,row,column,..,value
      int row = -1, column = -1;
      ASSERT_EQ(std::sscanf(lines[i].c_str(), "%*[^,],%d,%d", &row, &column), 2) << lines[i];
      const bool seen = column >= row - back && column <= row + ahead;
      EXPECT_EQ(lines[i].back() != ',', seen) << lines[i];
    }
  }
}

}  // namespace
}  // namespace regard
