#include "regard/model/forecasts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "regard/tensor/memory.h"

namespace regard {
namespace {

template <class T>
void sort_levels(std::span<T> said, std::size_t levels, std::size_t horizon) {
  std::vector<T> step(levels);
  for (std::size_t h = 0; h < horizon; ++h) {
    for (std::size_t q = 0; q < levels; ++q) step[q] = said[q * horizon + h];
    std::ranges::sort(step);
    for (std::size_t q = 0; q < levels; ++q) said[q * horizon + h] = step[q];
  }
}

}  // namespace

Tensor pasts_of(const Windows& windows, std::span<const Index> examples, Dtype dtype) {
  const Index context = windows.size().context;
  Tensor pasts = Tensor::empty({static_cast<Index>(examples.size()), context}, dtype);
  visit(dtype, [&]<class T>(T) {
    auto to = pasts.span<T>().begin();
    for (const Index i : examples) to = std::ranges::copy(windows.past(i), to).out;
  });
  return pasts;
}

Index middle_level(const std::vector<double>& levels) {
  const auto nearer = [](double a, double b) { return std::abs(a - 0.5) < std::abs(b - 0.5); };
  const auto found = std::ranges::min_element(levels, nearer);
  return levels.empty() ? 0 : static_cast<Index>(found - levels.begin());
}

Tensor forecasts(const ForecastModel& model, const Tensor& pasts) {
  const NoGrad quiet;
  Tensor said = model.forward(pasts, {}).value();
  const auto levels = static_cast<std::size_t>(said.size(1)),
             horizon = static_cast<std::size_t>(said.size(2));
  if (levels > 1)
    visit(said.dtype(), [&]<class T>(T) {
      const std::span<T> all = said.span<T>();
      for (std::size_t at = 0; at < all.size(); at += levels * horizon)
        sort_levels(all.subspan(at, levels * horizon), levels, horizon);
    });
  return said;
}

bool each_forecast(const ForecastModel& model, const Windows& windows, Arena& arena,
                   const std::function<bool()>& stop,
                   const std::function<void(Index i, std::span<const float> said)>& f) {
  constexpr Index kTogether = 256;
  for (Index begin = 0; begin < windows.count(); begin += kTogether) {
    if (stop()) return false;
    const StepScope scope(arena);
    std::vector<Index> examples(
        static_cast<std::size_t>(std::min(kTogether, windows.count() - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    const Tensor said = forecasts(model, pasts_of(windows, examples, Dtype::f32));
    const std::span<const float> all = said.span<float>();
    const std::size_t each = all.size() / examples.size();
    for (std::size_t i = 0; i < examples.size(); ++i) f(examples[i], all.subspan(i * each, each));
  }
  return true;
}

}  // namespace regard
