#include "regard/decode/label_scores.h"

#include <algorithm>
#include <numeric>

#include "regard/decode/candidates.h"

namespace regard {
namespace {

constexpr Index kBatchTokens = 4096;

/// How many texts from `begin` on are read together.
std::size_t batch_end(std::span<const std::vector<std::int32_t>> texts, std::size_t begin) {
  Index tokens = 0;
  std::size_t end = begin;
  while (end < texts.size() &&
         (end == begin || tokens + static_cast<Index>(texts[end].size()) <= kBatchTokens))
    tokens += static_cast<Index>(texts[end++].size());
  return end;
}

}  // namespace

std::vector<std::vector<double>> label_scores(const LabelModel& model,
                                              std::span<const std::vector<std::int32_t>> texts,
                                              const std::function<bool()>& stop, const Pass& pass) {
  const NoGrad quiet;
  std::vector<std::vector<double>> result;
  while (result.size() < texts.size() && !(stop && stop())) {
    const std::size_t begin = result.size(), end = batch_end(texts, begin);
    const Var rows =
        model.forward(TokenIds::ragged({texts.begin() + static_cast<std::ptrdiff_t>(begin),
                                        texts.begin() + static_cast<std::ptrdiff_t>(end)}),
                      pass);
    const std::vector<double> all =
        model.output().log_probabilities(rows.value()).values();  // [B, labels]
    const auto labels = static_cast<std::size_t>(model.output().vocabulary());
    for (std::size_t i = 0; i < end - begin; ++i) {
      std::vector<double>& scores = result.emplace_back();
      for (std::size_t j = 0; j < labels; ++j) scores.push_back(checked_log_p(all[i * labels + j]));
    }
  }
  return result;
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
