#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/cli/micro_training.h"

namespace regard::testing {

inline constexpr int kNone = -1000;  // no row is skipped

/// Hours from `begin` on, counted from the year's first; a day or less before it if that is
/// negative.
inline std::string load_csv(int end, int skipped = kNone, int begin = 0) {
  std::string text = "date,north,south\n";
  for (int i = begin; i < end; ++i) {
    if (i == skipped) continue;
    char line[100];
    std::snprintf(line, sizeof line, "%s-%02d %02d:00,%.3f,%.3f\n", i < 0 ? "2023-12" : "2024-01",
                  i < 0 ? 31 : 1 + i / 24, (i + 24) % 24, 10 + 3 * std::sin(i * 0.26),
                  100 - 20 * std::sin(i * 0.26 + 1));
    text += line;
  }
  return text;
}

/// A trained model in `folder`/m, and its table.
class TrainedForecaster {
 public:
  const Folder folder;

  explicit TrainedForecaster(std::vector<std::string> more = {}) {
    folder.write("load.csv", load_csv(600));
    std::vector<std::string> arguments{"train",   "--train", csv(),     "--arch", "forecast",
                                       "--model", model(),   "--steps", "30"};
    for (const char* setting :
         {"model.context=48", "model.horizon=12", "model.patch=8", "model.d_model=8",
          "model.encoder_layers=2", "train.batch_tokens=256", "train.warmup=5"})
      arguments.insert(arguments.end(), {"--set", setting});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(says(outcome.err, "2 series of 600 rows, one every 1 hour"));
    EXPECT_TRUE(says(outcome.err, "forecast --model "));
    EXPECT_TRUE(says(outcome.err, "simple ways to forecast, squared error to validate: linear 0."));
  }

  std::string csv() const { return folder.path("load.csv"); }
  std::string model() const { return folder.path("m"); }

  Outcome forecast(std::vector<std::string> more) const {
    more.insert(more.begin(), {"forecast", "--model", model()});
    return run_regard(more);
  }
};

/// One with the usual settings, trained once.
inline const TrainedForecaster& plain_forecaster() {
  static const TrainedForecaster once;
  return once;
}

}  // namespace regard::testing
