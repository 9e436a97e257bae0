#include "regard/cli/attend/given_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/cli/matrix/matrix.h"

namespace regard {
namespace {

constexpr double kTolerance = 0.02;  // of tables that are rounded to two decimals

void check_alone(const AttendOptions& options) {
  const auto refuse = [](bool given, const std::string& option) {
    check(!given, "--weights are drawn as they are, nothing is computed; leave out ", option);
  };
  for (const MatrixOption& matrix : matrix_options(options))
    refuse(matrix.name != "--weights", matrix.name);
  refuse(options.score.has_value(), "--score");
  refuse(!options.masks.empty(), "--mask");
  refuse(options.valid_lens.has_value(), "--valid-lens");
  refuse(options.heads.has_value(), "--heads");
  refuse(options.seed.has_value(), "--seed");
}

/// Warns of the first row that holds no weights.
void check_rows(const MatrixStack& weights, const InputSource& source) {
  const auto all = weights.values.span<f64>();
  const auto width = static_cast<std::size_t>(weights.values.size(3));
  for (std::size_t at = 0; at < all.size(); at += width) {
    const auto row = all.subspan(at, width);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    const bool is_blind = std::ranges::all_of(row, [](double x) { return x == 0; });
    const double least = *std::ranges::min_element(row);
    if (least >= 0 && (is_blind || std::abs(sum - 1) <= kTolerance)) continue;
    const std::size_t number = at / width % weights.row_labels.size();
    const std::string panel =
        panel_name(weights, static_cast<Index>(at / width / weights.row_labels.size()));
    const std::string place = panel.empty() ? "" : panel + ", ";
    const std::string label = weights.row_labels[number];
    if (least < 0)
      return warn(source.name, ": ", place, "row ", number + 1, " (", label, ") holds ", least,
                  "; weights are 0 or more");
    return warn(source.name, ": ", place, "row ", number + 1, " (", label, ") sums to ", sum,
                "; weights of a query sum to 1 (within ", kTolerance, ")");
  }
}

}  // namespace

MatrixStack read_weights(const AttendOptions& options) {
  check_alone(options);
  const Tensor given = read_matrix("--weights", *options.weights);
  const Index heads = given.rank() == 3 ? given.size(0) : 1;
  const Index T = given.size(-2), S = given.size(-1);
  AttendLabels labels =
      read_labels(options.labels, {numbered_labels("q", T), numbered_labels("k", S)});
  const MatrixStack weights{given.reshaped({1, heads, T, S}), std::move(labels.queries),
                            std::move(labels.keys)};
  check_rows(weights, source_of("--weights", *options.weights));
  return weights;
}

}  // namespace regard
