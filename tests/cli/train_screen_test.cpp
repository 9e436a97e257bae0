#include "regard/cli/train/train_screen.h"

#include <gtest/gtest.h>

#include "regard/viewer/text.h"
#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::MicroTraining;
using testing::Outcome;
using testing::says;

const StepReport kUsualStep{.step = 12345,
                            .last = 20892,
                            .epoch = 4,
                            .loss = 3.456,
                            .rate = 0.00123,
                            .measures = {{"perplexity", "ppl", 2, 1234.56}}};
const TrainPace kUsualPace{
    .targets_per_second = 12345, .seconds_per_update = 0.6, .peak_mib = 1234};

TEST(MovingLine, ShowsAllInEightyColumns) {
  EXPECT_EQ(moving_line({.width = 80}, kUsualStep, kUsualPace),
            "step 12345/20892 loss 3.456 ppl 1235 lr 1.2e-03 12.3k tok/s eta 1h25m 1.2 GiB  ");
}

TEST(MovingLine, GivesTheBarWhatIsLeftOver) {
  const auto line = [](int width) { return moving_line({.width = width}, kUsualStep, kUsualPace); };
  EXPECT_TRUE(says(line(200), "step 12345/20892 [############........] loss"));
  EXPECT_TRUE(says(line(90), "step 12345/20892 [#####....] loss"));
  EXPECT_FALSE(says(line(86), "["));
  for (int width = 20; width < 130; ++width)
    for (const bool unicode : {false, true})
      EXPECT_EQ(
          display_width(moving_line({.width = width, .unicode = unicode}, kUsualStep, kUsualPace)),
          width - 1);
}

TEST(MovingLine, LeavesOutWholeMeasuresFromTheEnd) {
  const std::string parts[] = {" loss 3.456",  " ppl 1235",  " lr 1.2e-03",
                               " 12.3k tok/s", " eta 1h25m", " 1.2 GiB"};
  for (int width = 18; width < 80; ++width) {
    std::string expected = "step 12345/20892";
    for (const std::string& part : parts) {
      if (static_cast<int>(expected.size() + part.size()) > width - 1) break;
      expected += part;
    }
    const std::string line = moving_line({.width = width}, kUsualStep, kUsualPace);
    EXPECT_EQ(line.substr(0, line.find_last_not_of(' ') + 1), expected) << width;
  }
}

/// With --epochs the end is an estimate.
TEST(MovingLine, HasNoTimeLeftPastTheEndAndNoneWithoutOne) {
  StepReport report = kUsualStep;
  report.step = report.last + 5;
  EXPECT_TRUE(says(moving_line({.width = 80}, report, kUsualPace), " eta 00:00 "));
  report.last = 0;
  const std::string line = moving_line({.width = 120}, report, kUsualPace);
  EXPECT_TRUE(says(line, "step 20897 epoch 4 loss 3.456"));
  EXPECT_FALSE(says(line, "eta"));
}

TEST(TrainScreen, TellsTheMeanFromAValidation) {
  const MicroTraining training;
  const Outcome trained = training.train("run", {"--json"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(says(trained.err, "average of the 2 best checkpoints  loss "));
  std::istringstream lines(trained.out);
  int validations = 0, means = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    validations += json["type"] == "valid";
    if (json["type"] != "average") continue;
    ++means;
    EXPECT_EQ(json["checkpoints"], 2);
    EXPECT_TRUE(json["selected"].is_boolean());
  }
  EXPECT_EQ(validations, 3);
  EXPECT_EQ(means, 1);
}

// 79 columns in a terminal that now has 30: the line covers three rows, and the cursor is two below
// its start.
TEST(TrainScreen, TakesItsLineOffATerminalThatBecameNarrower) {
  EXPECT_EQ(erased_line(79, 80), "\r\033[J");
  EXPECT_EQ(erased_line(79, 79), "\r\033[J");
  EXPECT_EQ(erased_line(79, 30), "\r\033[2A\033[J");
  EXPECT_EQ(erased_line(79, 200), "\r\033[J");
  EXPECT_EQ(erased_line(79, 0), "\r\033[J");
}

}  // namespace
}  // namespace regard
