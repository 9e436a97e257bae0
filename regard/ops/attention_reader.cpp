#include "regard/ops/attention_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regard/backend/launch.h"
#include "regard/base/check.h"
#include "regard/base/elementary.h"

namespace regard {
namespace {

constexpr Index kPiece = 256;  // queries read at once where all are wanted

}  // namespace

AttentionReader::AttentionReader(const AttentionInputs& inputs, const AttentionSpec& spec,
                                 Tensor norms)
    : inputs_(inputs), spec_(spec), norms_(std::make_shared<Norms>()) {
  if (norms.count() > 0) std::call_once(norms_->once, [&] { norms_->value = std::move(norms); });
  inputs_.q.rows = Var(inputs.q.rows.value());
  inputs_.k.rows = Var(inputs.k.rows.value());
  inputs_.v = inputs_.k;  // weights do not depend on the values
  spec_.dropout = {};
  spec_.mask = spec.mask.detached();
}

const Tensor& AttentionReader::norms() const {
  std::call_once(norms_->once, [&] { norms_->value = found_norms(); });
  return norms_->value;
}

Tensor AttentionReader::found_norms() const {
  const Index rows = inputs_.queries.rows(), width = inputs_.v.width;
  Tensor norms = Tensor::empty({rows, heads(), 2}, inputs_.q.rows.dtype());
  Tensor unused = Tensor::empty({rows, heads() * width}, norms.dtype());
  visit(norms.dtype(), [&]<class T>(T) {
    Tensor keeper;
    launch(norms.device(), kernel::attention, attention_problem<T>(inputs_, spec_, keeper),
           heads_at(unused.span<T>().data(), HeadColumns{Var(unused), heads(), width}),
           norm_rows(norms.span<T>().data(), norms));
  });
  return norms;
}

void AttentionReader::check_place(Index b, Index h) const {
  check(b >= 0 && b < segments() && h >= 0 && h < heads(), "no segment ", b, " and head ", h,
        " in an attention over ", segments(), " segments with ", heads(), " heads");
}

Tensor AttentionReader::weights(Index b, Index h) const {
  check_place(b, h);
  return weights(b, h, 0, queries(b));
}

Tensor AttentionReader::weights(Index b, Index h, Index first, Index count) const {
  check_place(b, h);
  check(first >= 0 && count >= 0 && first <= queries(b) && count <= queries(b) - first, "no ",
        count, " queries from ", first, " on in a segment of ", queries(b));
  const Tensor& norms = this->norms();
  Tensor out = Tensor::empty({count, keys(b)}, norms.dtype());
  visit(norms.dtype(), [&]<class T>(T) {
    Tensor keeper;
    launch(norms.device(), kernel::attention_weights, attention_problem<T>(inputs_, spec_, keeper),
           QueryRange{b, h, first, count}, norm_rows(norms.span<T>().data(), norms),
           Rows<T>{out.span<T>().data(), count, keys(b)});
  });
  return out;
}

/// Calls f(t, weights) for every query.
template <class F>
void AttentionReader::each_row(Index b, Index h, const F& f) const {
  check_place(b, h);
  const auto width = static_cast<std::size_t>(keys(b));
  for (Index first = 0; first < queries(b); first += kPiece) {
    const Index count = std::min(kPiece, queries(b) - first);
    const Tensor piece = weights(b, h, first, count);
    visit(piece.dtype(), [&]<class T>(T) {
      for (Index t = 0; t < count; ++t)
        f(first + t, piece.span<T>().subspan(static_cast<std::size_t>(t) * width, width));
    });
  }
}

Tensor AttentionReader::column_sums(Index b, Index h) const {
  check_place(b, h);
  std::vector<double> sums(static_cast<std::size_t>(keys(b)));
  each_row(b, h, [&](Index, auto row) {
    for (std::size_t s = 0; s < row.size(); ++s) sums[s] += row[s];
  });
  return Tensor::of({keys(b)}, sums, inputs_.q.rows.dtype());
}

Tensor AttentionReader::entropy(Index b, Index h) const {
  check_place(b, h);
  std::vector<double> nats(static_cast<std::size_t>(queries(b)));
  each_row(b, h, [&](Index t, auto row) {
    double sum = 0;
    for (const double w : row)
      if (w != 0) sum -= w * elementary::log(w);
    nats[static_cast<std::size_t>(t)] = sum;
  });
  return Tensor::of({queries(b)}, nats, inputs_.q.rows.dtype());
}

std::vector<AttentionReader::Look> AttentionReader::top(Index b, Index h, Index t, Index k) const {
  check(k >= 0, "the ", k, " most looked-at keys were asked for, expected 0 or more");
  const std::vector<double> row = weights(b, h, t, 1).values();
  std::vector<Look> looks;
  for (std::size_t s = 0; s < row.size(); ++s)
    if (row[s] != 0) looks.push_back({static_cast<Index>(s), row[s]});
  const auto kept = std::min<std::size_t>(looks.size(), static_cast<std::size_t>(k));
  std::partial_sort(looks.begin(), looks.begin() + static_cast<std::ptrdiff_t>(kept), looks.end(),
                    [](const Look& a, const Look& b) {
                      // NaN, which orders nowhere, counts as the largest.
                      if (std::isnan(a.weight) != std::isnan(b.weight)) return std::isnan(a.weight);
                      return a.weight > b.weight || (!(a.weight < b.weight) && a.key < b.key);
                    });
  looks.resize(kept);
  return looks;
}

}  // namespace regard
