// Lines go in blocks, of which more cores get larger ones: one line in, one line out all the same.
#include <gtest/gtest.h>

#include <set>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::run_regard;
using testing::write_small_model;

/// Words that say which line they are.
std::string numbered_lines(std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t rest = i; rest > 0; rest /= 5)
      text += static_cast<char>('a' + rest % 5), text += ' ';
    text += ".\n";
  }
  return text;
}

TEST(TranslateBlocks, KeepTheOrderOfLinesAtAnyNumberOfThreads) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  constexpr std::size_t kLines = 2300;  // several blocks on two cores, the last of them not whole
  const auto translate = [&](const std::string& input, const char* threads, const char* best) {
    const auto outcome = run_regard({"translate", "-m", model, "--max-length", "3", "--beam", "2",
                                     "--n-best", best, "--threads", threads},
                                    {.input = input});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string all = numbered_lines(0, kLines), expected = translate(all, "1", "1");
  const std::vector<std::string> lines = lines_of(expected);
  EXPECT_EQ(lines.size(), kLines);
  EXPECT_GT(std::set(lines.begin(), lines.end()).size(), 20u) << "the order cannot be seen";
  for (const char* threads : {"2", "3", "16"}) EXPECT_EQ(translate(all, threads, "1"), expected);
  EXPECT_EQ(translate(numbered_lines(0, 700), "2", "1") +
                translate(numbered_lines(700, kLines), "2", "1"),
            expected);
  EXPECT_EQ(translate(all, "2", "2"), translate(all, "1", "2"));
}

}  // namespace
}  // namespace regard
