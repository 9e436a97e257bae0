#include "regard/logits/output_layer.h"

#include <cmath>

#include "regard/backend/cross_entropy.h"
#include "regard/backend/launch.h"
#include "regard/backend/matmul.h"
#include "regard/base/elementary.h"

namespace regard {
namespace {

/// x - log sum e^x, row by row, in place.
template <Real T>
void normalise(Rows<T> x) {
  Tensor stats = Tensor::empty({x.count, 3}, dtype_of<T>);
  Tensor loss = Tensor::empty({x.count}, dtype_of<T>);
  const std::vector<std::int32_t> any(static_cast<std::size_t>(x.count), 0);
  kernel::cross_entropy(Cpu::get(), Judgement{any}, x.template cast<const T>(),
                        Rows<T>{stats.span<T>().data(), x.count, 3},
                        Rows<T>{loss.span<T>().data(), 1, x.count});
  const std::span<const T> each = stats.span<T>();
  Cpu::get().parallel_ranges(x.count, 1, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const T peak = each[static_cast<std::size_t>(3 * r)];
      const auto rest = static_cast<T>(elementary::log(each[static_cast<std::size_t>(3 * r + 1)]));
      for (T& value : x[r]) value = (value == peak ? 0 : value - peak) - rest;
    }
  });
}

}  // namespace

OutputLayer::OutputLayer(const OutputSpec& spec)
    : table(Tensor::normal({spec.vocabulary, spec.width}, spec.rng.fork("table"), spec.dtype,
                           1 / std::sqrt(static_cast<double>(spec.width))),
            /*trainable=*/true) {
  if (spec.bias) bias = Var(Tensor({spec.vocabulary}, spec.dtype), /*trainable=*/true);
}

Tensor OutputLayer::log_probabilities(const Tensor& rows) const {
  const Index N = rows.size(0), D = rows.size(1), V = vocabulary();
  Tensor result = Tensor::empty({N, V}, rows.dtype());
  visit(rows.dtype(), [&]<class T>(T) {
    launch(rows.device(), kernel::matmul,
           Product<T>{.a = {rows.span<T>().data(), N, D, D},
                      .b = {table.value().span<T>().data(), V, D, D},
                      .c = {result.span<T>().data(), N, V, V},
                      .transpose_b = true,
                      .bias = bias ? bias.value().span<T>().data() : nullptr});
    normalise<T>({result.span<T>().data(), N, V});
  });
  return result;
}

}  // namespace regard
