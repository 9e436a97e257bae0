#include "regard/decode/label_scores.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "regard/decode/candidates.h"

namespace regard {
namespace {

constexpr Index kBatchRows = 4096;

/// Adds what the model says of the sources, which are read together.
void add_scores(const LabelModel& model, const std::vector<std::vector<std::int32_t>>& sources,
                const Pass& pass, std::vector<std::vector<double>>& result) {
  const Var rows = model.forward(TokenIds::ragged(sources), pass);
  const std::vector<double> all =
      model.output().log_probabilities(rows.value()).values();  // [B, labels]
  const auto labels = static_cast<std::size_t>(model.output().vocabulary());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::vector<double>& scores = result.emplace_back();
    for (std::size_t j = 0; j < labels; ++j) scores.push_back(checked_log_p(all[i * labels + j]));
  }
}

}  // namespace

std::vector<std::vector<double>> label_scores(
    const LabelModel& model, Index count,
    const std::function<std::vector<std::int32_t>(Index)>& source,
    const std::function<bool()>& stop, const Pass& pass) {
  const NoGrad quiet;
  std::vector<std::vector<double>> result;
  std::vector<std::vector<std::int32_t>> batch;
  Index rows = 0;
  for (Index i = 0; i < count; ++i) {
    std::vector<std::int32_t> next = source(i);
    const Index more = static_cast<Index>(next.size()) / model.numbers_per_row();
    if (!batch.empty() && rows + more > kBatchRows) {
      if (stop && stop()) return result;
      add_scores(model, batch, pass, result);
      batch.clear();
      rows = 0;
    }
    batch.push_back(std::move(next));
    rows += more;
  }
  if (!batch.empty() && !(stop && stop())) add_scores(model, batch, pass, result);
  return result;
}

std::vector<std::vector<double>> label_scores(const LabelModel& model,
                                              std::span<const std::vector<std::int32_t>> sources,
                                              const std::function<bool()>& stop, const Pass& pass) {
  return label_scores(
      model, static_cast<Index>(sources.size()),
      [&](Index i) { return sources[static_cast<std::size_t>(i)]; }, stop, pass);
}

std::vector<std::size_t> ranked(std::span<const double> scores, Index top) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return scores[i]; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(top)));
  return order;
}

std::int32_t likeliest(std::span<const double> scores) {
  return static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin());
}

}  // namespace regard
