#include <algorithm>

#include "regard/series/baseline.h"

namespace regard::baselines {
namespace {

class RepeatLast final : public Forecaster {
 public:
  void forecast(std::span<const float> past, std::span<float> future) const override {
    std::ranges::fill(future, past.back());
  }
};

}  // namespace

extern const Baseline repeat_last{
    .name = "repeat-last",
    .formula = "y[h] = x[last]",
    .paper = "",
    .make = [](const Windows*, Index) -> std::unique_ptr<Forecaster> {
      return std::make_unique<RepeatLast>();
    },
};

}  // namespace regard::baselines
