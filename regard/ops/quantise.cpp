#include "regard/ops/quantise.h"

#include <algorithm>
#include <cmath>

#include "regard/backend/int8.h"
#include "regard/backend/launch.h"
#include "regard/base/check.h"

namespace regard {

QuantisedWeight quantise(const Tensor& weight, bool transposed) {
  check(weight.rank() == 2 && weight.dtype() == Dtype::f32, "cannot quantise a weight of shape ",
        weight.shape(), " and ", name(weight.dtype()), "; expected [in, out] of f32");
  const Index in = weight.size(transposed ? 1 : 0);
  check(in <= kInt8MaxRows, "a weight of ", in, " rows is too tall for int8, which takes at most ",
        kInt8MaxRows);
  QuantisedWeight result{Tensor::empty(weight.shape(), Dtype::i8),
                         Tensor::empty({weight.size(transposed ? 0 : 1)})};
  if (!weight.data()) return result;
  const std::span<const f32> elements = weight.span<f32>();
  check(std::ranges::all_of(elements, [](f32 x) { return std::isfinite(x); }),
        "a weight that holds NaN or infinity cannot be quantised");
  const Index cols = weight.size(1);
  launch(weight.device(), kernel::quantise_weight,
         Matrix<const f32>{elements.data(), weight.size(0), cols, cols}, transposed,
         Int8Weight{result.q.span<std::int8_t>().data(), result.scale.span<f32>().data()});
  return result;
}

Tensor dequantise(const QuantisedWeight& weight, bool transposed) {
  Tensor result = Tensor::empty(weight.q.shape());
  const auto q = weight.q.span<std::int8_t>();
  const auto scale = weight.scale.span<f32>();
  const std::span<f32> to = result.span<f32>();
  const auto cols = static_cast<std::size_t>(weight.q.size(1));
  for (std::size_t i = 0; i < q.size(); ++i)
    to[i] = static_cast<f32>(q[i]) * scale[transposed ? i / cols : i % cols];
  return result;
}

}  // namespace regard
