#include "regard/base/check.h"
#include "regard/series/baseline.h"

namespace regard::baselines {
namespace {

class SeasonalRepeat final : public Forecaster {
 public:
  explicit SeasonalRepeat(Index period) : period_(static_cast<std::size_t>(period)) {}

  void forecast(std::span<const float> past, std::span<float> future) const override {
    const std::span<const float> season = past.last(period_);
    for (std::size_t h = 0; h < future.size(); ++h) future[h] = season[h % period_];
  }

 private:
  std::size_t period_;
};

}  // namespace

extern const Baseline seasonal_repeat{
    .name = "seasonal-repeat",
    .formula = "y[h] = x[last - period + 1 + h mod period]",
    .paper = "",
    .make = [](const Windows& train, Index period) -> std::unique_ptr<Forecaster> {
      check(1 <= period && period <= train.size().context, "a season of ", period,
            " steps does not fit into a context of ", train.size().context,
            "; give a longer context or a shorter period");
      return std::make_unique<SeasonalRepeat>(period);
    },
};

}  // namespace regard::baselines
