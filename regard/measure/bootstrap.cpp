#include "regard/measure/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regard/base/check.h"
#include "regard/measure/numpy_draws.h"

namespace regard {
namespace {

using Scores = std::vector<double>;  // of each resample

double score_of_all(const LineStatistics& statistics) {
  return statistics.corpus(sum_of(statistics, statistics.lines.front().size()));
}

double score_of_drawn(const LineStatistics& statistics, const std::vector<std::uint32_t>& drawn) {
  std::vector<double> sum(statistics.lines.front().size());
  for (const std::uint32_t line : drawn)
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += statistics.lines[line][k];
  return statistics.corpus(sum);
}

double mean_of(const Scores& scores) {
  return std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
}

Resampled summary_of(Scores scores) {
  std::ranges::sort(scores);
  const std::size_t cut = scores.size() / 40;  // 2.5 % on either side
  return {.mean = mean_of(scores), .ci = (scores[scores.size() - cut - 1] - scores[cut]) / 2};
}

}  // namespace

PairedBootstrap paired_bootstrap(const LineStatistics& baseline, const LineStatistics& system,
                                 const BootstrapSpec& spec) {
  const std::size_t lines = system.lines.size();
  check(lines > 0 && spec.samples > 0, "a bootstrap needs lines and resamples");
  if (baseline.lines.size() != lines)
    fail(Fault::input, "a baseline of ", baseline.lines.size(), " lines against ", lines);
  measure::NumpyDraws draws(spec.seed);
  std::vector<std::uint32_t> drawn(lines);
  Scores of_baseline, of_system, differences;
  for (Index i = 0; i < spec.samples; ++i) {
    for (std::uint32_t& line : drawn) line = draws.below(static_cast<std::uint32_t>(lines));
    of_baseline.push_back(score_of_drawn(baseline, drawn));
    of_system.push_back(score_of_drawn(system, drawn));
    differences.push_back(std::abs(of_system.back() - of_baseline.back()));
  }
  const double real = std::abs(score_of_all(baseline) - score_of_all(system));
  const double mean = mean_of(differences);
  const auto larger = std::ranges::count_if(
      differences, [&](double difference) { return difference - mean > real; });
  const bool differ = real > 0 || mean > 0;
  return {.baseline = summary_of(of_baseline),
          .system = summary_of(of_system),
          .p_value =
              differ ? static_cast<double>(larger + 1) / static_cast<double>(spec.samples + 1) : 1,
          .differ = differ};
}

}  // namespace regard
