#include <algorithm>
#include <cmath>
#include <vector>

#include "regard/series/baseline.h"
#include "regard/series/least_squares.h"

namespace regard::baselines {
namespace {

class LinearMap final : public Forecaster {
 public:
  explicit LinearMap(const std::vector<double>& weights)
      : weights_(weights.begin(), weights.end()) {}

  void forecast(std::span<const float> past, std::span<float> future) const override {
    const float last = past.back();
    std::ranges::fill(future, last);
    const float* weight = weights_.data();
    for (const float value : past) {
      const float change = value - last;
      for (float& y : future) y = std::fma(change, *weight++, y);
    }
  }

 private:
  std::vector<float> weights_;  // [context, horizon]
};

}  // namespace

extern const Baseline linear{
    .name = "linear",
    .formula = "y - x[last] = (x - x[last]) W",
    .paper = "Zeng et al. 2023, arXiv:2205.13504 (NLinear); fitted in closed form",
    .learns = true,
    .make = [](const Windows* train, Index) -> std::unique_ptr<Forecaster> {
      return std::make_unique<LinearMap>(least_squares(*train, kUsualRidge));
    },
};

}  // namespace regard::baselines
