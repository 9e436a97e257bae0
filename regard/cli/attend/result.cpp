#include "regard/cli/attend/result.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/autograd/var.h"
#include "regard/base/check.h"
#include "regard/ops/reshape.h"
#include "regard/ops/softmax.h"
#include "regard/ops/transpose.h"

namespace regard {
namespace {

Tensor collected(const AttentionCapture& capture, const std::function<Tensor(Index, Index)>& read,
                 const Shape& shape) {
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(shape.count()));
  for (Index b = 0; b < capture.batch; ++b)
    for (Index h = 0; h < capture.heads; ++h) {
      const std::vector<double> part = read(b, h).values();
      all.insert(all.end(), part.begin(), part.end());
    }
  return Tensor::of(shape, all, Dtype::f64);
}

/// Scores of keys the mask hides are no result: what they say depends on who else sees the key, and
/// they may be beyond all numbers.
void hide_masked(Tensor& scores, const Mask& mask) {
  // Softmax of equal scores is above 0 exactly at the visible keys.
  const Var seen = masked_softmax(Var(Tensor(scores.shape(), Dtype::f64)), mask);
  const auto share = seen.value().span<f64>();
  const auto score = scores.span<f64>();
  for (std::size_t i = 0; i < score.size(); ++i)
    if (share[i] == 0)
      score[i] = std::numeric_limits<double>::quiet_NaN();
    else
      check_finite(score[i]);
}

}  // namespace

bool AttendResult::hidden(Index element) const {
  return std::isnan(scores.span<f64>()[static_cast<std::size_t>(element)]);
}

void check_finite(double x) {
  check(std::isfinite(x), "the scores or the output grow beyond 64-bit numbers; give smaller ones");
}

Var split_heads(const Var& x, Index heads) {
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

Var join_heads(const Var& x) {
  return reshape(permute(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

std::unique_ptr<Attention> mechanism_for(const AttendRequest& request, const Var& q, const Var& k) {
  return make_attention(*request.mechanism, {.heads = request.heads,
                                             .query_width = q.size(3),
                                             .key_width = k.size(3),
                                             .dtype = Dtype::f64,
                                             .rng = Rng(request.seed)});
}

AttendResult attend(const AttendRequest& request) {
  const NoGrad inference;
  const auto projected = [](const AttendInput& in) { return project(Var(in.rows), in.projection); };
  const Var q = projected(request.query), k = projected(request.key), v = projected(request.value);
  const QueryKeyValue in{.q = split_heads(q, request.heads),
                         .k = split_heads(k, request.heads),
                         .v = split_heads(v, request.heads),
                         .mask = request.mask};
  const auto mechanism = mechanism_for(request, in.q, in.k);
  AttendResult result;
  result.q = q.value();
  result.k = k.value();
  result.v = v.value();
  mechanism->each([&](std::string_view, Var&) { result.has_parameters = true; });
  Pass pass;
  pass.on_attention = [&](const AttentionCapture& capture) {
    const ScoreShape size = request.shape();
    const Shape shape{size.rows, size.heads, size.queries, size.keys};
    result.scores = collected(capture, capture.scores, shape);
    result.weights = collected(capture, capture.weights, shape);
  };
  result.output = project(join_heads((*mechanism)(in, pass)), request.output).value();
  hide_masked(result.scores, request.mask);
  for (const Tensor* found : {&result.weights, &result.output})
    std::ranges::for_each(found->span<f64>(), check_finite);
  return result;
}

}  // namespace regard
