#include "regard/base/check.h"
#include "regard/series/baseline.h"

namespace regard::baselines {
namespace {

class SeasonalRepeat final : public Forecaster {
 public:
  explicit SeasonalRepeat(Index period) : period_(static_cast<std::size_t>(period)) {}

  void forecast(std::span<const float> past, std::span<float> future) const override {
    check(period_ >= 1 && period_ <= past.size(), "a season of ", period_,
          " steps does not fit into a context of ", past.size(),
          "; give a longer context or a shorter period");
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
    .seasonal = true,
    .make = [](const Windows*, Index period) -> std::unique_ptr<Forecaster> {
      return std::make_unique<SeasonalRepeat>(period);
    },
};

}  // namespace regard::baselines
