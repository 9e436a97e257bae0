#include "regard/ops/convolution.h"

#include <vector>

#include "regard/backend/launch.h"
#include "regard/backend/matmul.h"
#include "regard/base/check.h"
#include "regard/ops/slice.h"
#include "regard/ops/sum.h"

namespace regard {
namespace {

/// The sizes of a convolution; `padded` is T with its padding.
struct Sizes {
  Index B, T, padded, out_length, in, out, width;
};

Sizes checked_sizes(const Var& x, const Var& kernel, const Var& bias, Padding padding) {
  check(x.rank() == 3, "a convolution's input has shape ", x.shape(), ", expected [B, T, in]");
  check(kernel.rank() == 3 && kernel.size(1) == x.size(2) && kernel.size(0) >= 1,
        "a convolution of ", x.shape(), " takes a kernel [width, ", x.size(2), ", out], got ",
        kernel.shape());
  check(!bias || bias.shape() == Shape{kernel.size(2)}, "a convolution with kernel ",
        kernel.shape(), " takes a bias [", kernel.size(2), "], got ",
        bias ? bias.shape() : Shape{});
  check(x.dtype() == kernel.dtype() && (!bias || bias.dtype() == x.dtype()),
        "a convolution's input, kernel and bias must be of one number type");
  check(padding.left >= 0 && padding.right >= 0, "a convolution's padding is ", padding.left,
        " and ", padding.right, ", expected 0 or more");
  const Index padded = x.size(1) + padding.left + padding.right;
  check(padded >= kernel.size(0) - 1, "a kernel of width ", kernel.size(0),
        " is too wide for a padded length of ", padded);
  return {x.size(0),      x.size(1),      padded,        padded - kernel.size(0) + 1,
          kernel.size(1), kernel.size(2), kernel.size(0)};
}

// All three products run over the rows of all padded sequences at once, [B padded, ...], so that a
// tap is one tall product and nothing is unrolled: row r of the result belongs to row r + j of x.
// Rows that straddle two sequences are computed too and dropped.

Index tall(const Sizes& n) {
  return n.B * n.padded - n.width + 1;
}

Tensor sum_of_taps(const Sizes& n, const Tensor& x, const Tensor& kernel, const Tensor* bias) {
  Tensor y = Tensor::empty({n.B, n.padded, n.out}, x.dtype());
  if (n.B * n.out_length == 0) return slice(y, 1, 0, n.out_length);
  visit(x.dtype(), [&]<class T>(T) {
    for (Index j = 0; j < n.width; ++j)
      launch(x.device(), kernel::matmul,
             Product<T>{.a = {x.span<T>().data() + j * n.in, tall(n), n.in, n.in},
                        .b = {kernel.span<T>().data() + j * n.in * n.out, n.in, n.out, n.out},
                        .c = {y.span<T>().data(), tall(n), n.out, n.out},
                        .accumulate = j > 0,
                        .bias = j == 0 && bias ? bias->span<T>().data() : nullptr});
  });
  return slice(y, 1, 0, n.out_length);
}

/// dx[r + j] += dy[r] kernel[j]', where dy has zeros in the rows that were dropped.
Tensor input_gradient(const Sizes& n, const Tensor& dy, const Tensor& kernel) {
  Tensor dx(Shape{n.B, n.padded, n.in}, dy.dtype());
  if (n.B * n.out_length == 0) return dx;
  visit(dy.dtype(), [&]<class T>(T) {
    for (Index j = 0; j < n.width; ++j)
      launch(dy.device(), kernel::matmul,
             Product<T>{.a = {dy.span<T>().data(), tall(n), n.out, n.out},
                        .b = {kernel.span<T>().data() + j * n.in * n.out, n.in, n.out, n.out},
                        .c = {dx.span<T>().data() + j * n.in, tall(n), n.in, n.in},
                        .transpose_b = true,
                        .accumulate = true});
  });
  return dx;
}

/// dkernel[j] = sum_r x[r + j]' dy[r]
Tensor kernel_gradient(const Sizes& n, const Tensor& x, const Tensor& dy) {
  Tensor dkernel(Shape{n.width, n.in, n.out}, dy.dtype());
  if (n.B * n.out_length == 0) return dkernel;
  visit(dy.dtype(), [&]<class T>(T) {
    for (Index j = 0; j < n.width; ++j)
      launch(dy.device(), kernel::matmul,
             Product<T>{.a = {x.span<T>().data() + j * n.in, tall(n), n.in, n.in},
                        .b = {dy.span<T>().data(), tall(n), n.out, n.out},
                        .c = {dkernel.span<T>().data() + j * n.in * n.out, n.in, n.out, n.out},
                        .transpose_a = true});
  });
  return dkernel;
}

}  // namespace

Var convolution(const Var& x, const Var& kernel, const Var& bias, Padding padding) {
  const Sizes n = checked_sizes(x, kernel, bias, padding);
  const Tensor padded =
      n.padded == n.T ? x.value() : unslice(x.value(), {n.B, n.padded, n.in}, 1, padding.left);
  Tensor y = sum_of_taps(n, padded, kernel.value(), bias ? &bias.value() : nullptr);
  return record(y, bias ? std::vector{x, kernel, bias} : std::vector{x, kernel},
                [x, kernel, bias, padding, n, padded](const Tensor& dy) {
                  if (bias.needs_grad()) bias.accumulate(sum_to(dy, bias.shape()));
                  const Tensor spread = unslice(dy, {n.B, n.padded, n.out}, 1, 0);
                  if (x.needs_grad())
                    x.accumulate(slice(input_gradient(n, spread, kernel.value()), 1, padding.left,
                                       padding.left + n.T));
                  if (kernel.needs_grad()) kernel.accumulate(kernel_gradient(n, padded, spread));
                });
}

}  // namespace regard
