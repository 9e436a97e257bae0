#include "regard/ops/packed_weight.h"

#include <algorithm>

#include "regard/backend/launch.h"
#include "regard/backend/matmul.h"
#include "regard/base/check.h"
#include "regard/ops/embedding.h"
#include "regard/tensor/memory.h"

namespace regard {

PackedWeight::PackedWeight(const Tensor& weight, bool transposed) {
  check(weight.rank() == 2 && weight.dtype() == Dtype::f32, "cannot pack a weight of shape ",
        weight.shape(), " and ", name(weight.dtype()), "; expected [in, out] of f32");
  in_ = weight.size(transposed ? 1 : 0);
  out_ = weight.size(transposed ? 0 : 1);
  const LastingScope outlives_the_step;
  panels_ = Tensor::empty({panels_size(in_, out_)});
  const Index cols = weight.size(1);
  launch(weight.device(), kernel::pack_panels,
         Matrix<const f32>{weight.span<f32>().data(), weight.size(0), cols, cols}, transposed,
         panels_.span<f32>().data());
}

PackedWeight::PackedWeight(const QuantisedWeight& weight, bool transposed) {
  const Tensor& q = weight.q;
  check(q.rank() == 2, "cannot pack a weight of shape ", q.shape(), "; expected [in, out]");
  in_ = q.size(transposed ? 1 : 0);
  out_ = q.size(transposed ? 0 : 1);
  check(weight.scale.shape() == Shape{out_}, "a weight of ", out_, " columns came with scales of ",
        weight.scale.shape());
  check(in_ <= kInt8MaxRows, "a weight of ", in_,
        " rows is too tall for int8, which takes at most ", kInt8MaxRows);
  const LastingScope outlives_the_step;
  const Int8Panels outline{.K = in_, .N = out_};
  panels_ = Tensor::empty({outline.size()}, Dtype::i8);
  scales_ = Tensor({outline.columns()});
  shifts_ = Tensor::empty({outline.columns()}, Dtype::i32);
  std::ranges::copy(weight.scale.span<f32>(), scales_.span<f32>().begin());
  launch(q.device(), kernel::pack_int8,
         Matrix<const std::int8_t>{q.span<std::int8_t>().data(), q.size(0), q.size(1), q.size(1)},
         transposed, outline, panels_.span<std::int8_t>().data(),
         shifts_.span<std::int32_t>().data());
}

Int8Panels PackedWeight::int8() const {
  if (!is_int8()) return {};
  return {panels_.span<std::int8_t>().data(), scales_.span<f32>().data(),
          shifts_.span<std::int32_t>().data(), in_, out_};
}

void PackedWeight::put_into(Product<f32>& product) const {
  product.int8 = int8();
  if (!product.int8) product.panels = panels_.span<f32>().data();
}

Tensor PackedWeight::apply(const Tensor& x, const Var& bias, Activation activation) const {
  check(x.rank() >= 1 && x.size(-1) == in_ && x.dtype() == Dtype::f32, "a packed weight of [", in_,
        ", ", out_, "] takes rows of f32 of that many columns, got ", x.shape(), " of ",
        name(x.dtype()));
  const Index N = x.count() / in_;
  Tensor y = Tensor::empty(x.shape().with(-1, out_));
  Product<f32> product{.a = {x.span<f32>().data(), N, in_, in_},
                       .b = {},
                       .c = {y.span<f32>().data(), N, out_, out_},
                       .bias = bias ? bias.value().span<f32>().data() : nullptr,
                       .activation = activation};
  put_into(product);
  launch(x.device(), kernel::matmul, product);
  return y;
}

Tensor PackedWeight::columns(std::span<const std::int32_t> chosen) const {
  check_ids(chosen, out_);
  Tensor rows = Tensor::empty({static_cast<Index>(chosen.size()), in_});
  f32* to = rows.span<f32>().data();
  const Int8Panels whole = int8();
  for (const std::int32_t n : chosen)
    if (whole) {
      for (Index k = 0; k < in_; ++k)
        *to++ = static_cast<f32>(whole.data[whole.at(k, n)]) * whole.scales[n];
    } else {
      const f32* from =
          panels_.span<f32>().data() + n / kPanelCols * kPanelCols * in_ + n % kPanelCols;
      for (Index k = 0; k < in_; ++k) *to++ = from[k * kPanelCols];
    }
  return rows;
}

Var without_elements(const Var& weight) {
  const Outline shapes_alone;
  return Var(Tensor::empty(weight.shape()));
}

}  // namespace regard
