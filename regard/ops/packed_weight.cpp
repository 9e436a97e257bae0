#include "regard/ops/packed_weight.h"

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
  kernel::pack_panels(Cpu::get(), {weight.span<f32>().data(), weight.size(0), cols, cols},
                      transposed, panels_.span<f32>().data());
}

Tensor PackedWeight::apply(const Tensor& x, const Var& bias, Activation activation) const {
  check(x.rank() >= 1 && x.size(-1) == in_ && x.dtype() == Dtype::f32, "a packed weight of [", in_,
        ", ", out_, "] takes rows of f32 of that many columns, got ", x.shape(), " of ",
        name(x.dtype()));
  const Index N = x.count() / in_;
  Tensor y = Tensor::empty(x.shape().with(-1, out_));
  launch(x.device(), kernel::matmul,
         Product<f32>{.a = {x.span<f32>().data(), N, in_, in_},
                      .b = {},
                      .c = {y.span<f32>().data(), N, out_, out_},
                      .bias = bias ? bias.value().span<f32>().data() : nullptr,
                      .activation = activation,
                      .panels = panels()});
  return y;
}

Tensor PackedWeight::columns(std::span<const std::int32_t> chosen) const {
  check_ids(chosen, out_);
  Tensor rows = Tensor::empty({static_cast<Index>(chosen.size()), in_});
  f32* to = rows.span<f32>().data();
  for (const std::int32_t n : chosen) {
    const f32* from = panels() + n / kPanelCols * kPanelCols * in_ + n % kPanelCols;
    for (Index k = 0; k < in_; ++k) *to++ = from[k * kPanelCols];
  }
  return rows;
}

Var without_elements(const Var& weight) {
  const Outline shapes_alone;
  return Var(Tensor::empty(weight.shape(), weight.dtype()));
}

}  // namespace regard
