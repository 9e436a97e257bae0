#include "regard/trace/head_tag.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "regard/base/elementary.h"

namespace regard {
namespace {

constexpr double kBroad = 0.7, kMarked = 0.4;

double bits(std::span<const float> row) {
  double sum = 0;
  for (const double w : row)
    if (w > 0) sum -= w * elementary::log2(w);
  return sum;
}

/// A mean in the making; 0 of nothing.
struct Mean {
  double sum = 0, count = 0;

  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return count > 0 ? sum / count : 0; }
};

/// What row t of cross-attention spends on the straight line from corner to corner.
double on_the_line(const HeadWeights& head, Index t) {
  const std::span<const float> row = head.row(t);
  const Index far = std::max<Index>(head.rows - 1, 1), place = t * (head.cols - 1);
  double sum = 0;
  for (Index s = 0; s < head.cols; ++s)
    if (std::abs(s * far - place) <= far) sum += row[static_cast<std::size_t>(s)];
  return sum;
}

/// What tags are decided by.
struct Means {
  Mean spread, diagonal, previous, next, sink;

  void add(const HeadWeights& head) {
    std::vector<Mean> columns(static_cast<std::size_t>(head.cols));
    const bool cross = head.kind == AttentionKind::cross;
    for (Index t = 0; t < head.rows; ++t) {
      const Index seen = head.end(t) - head.first(t);
      if (seen < 2) continue;  // nothing to choose from
      const std::span<const float> row = head.row(t);
      spread.add(bits(row) / elementary::log2(static_cast<double>(seen)));
      for (std::size_t s = 0; s < columns.size(); ++s) columns[s].add(row[s]);
      const auto own = static_cast<std::size_t>(t);
      diagonal.add(cross ? on_the_line(head, t) : row[own]);
      if (!cross && t >= 1) previous.add(row[own - 1]);
      if (!cross && t + 1 < head.cols) next.add(row[own + 1]);
    }
    double most = 0;
    for (const Mean& column : columns) most = std::max(most, column.value());
    sink.add(most);
  }
};

}  // namespace

std::string_view name(HeadTag tag) {
  constexpr std::array<std::string_view, 6> kNames{"diagonal", "previous", "next",
                                                   "sink",     "broad",    "other"};
  return kNames[static_cast<std::size_t>(tag)];
}

double entropy_bits(const HeadWeights& head) {
  Mean mean;
  for (Index t = 0; t < head.rows; ++t) mean.add(bits(head.row(t)));
  return mean.value();
}

HeadTag tag_over(std::span<const HeadWeights> sentences) {
  Means means;
  for (const HeadWeights& head : sentences) means.add(head);
  if (means.spread.value() >= kBroad) return HeadTag::broad;
  const std::array shares{means.diagonal.value(), means.previous.value(), means.next.value(),
                          means.sink.value()};
  const auto most = std::ranges::max_element(shares);
  return *most < kMarked ? HeadTag::other : static_cast<HeadTag>(most - shares.begin());
}

}  // namespace regard
