#include "regard/ops/matmul.h"

#include <utility>

#include "regard/backend/launch.h"
#include "regard/backend/matmul.h"
#include "regard/base/check.h"
#include "regard/ops/sum.h"

namespace regard {
namespace {

/// How the matrices of two operands meet: `outer` runs of `inner` products. An operand has a matrix
/// for each product, or for each of a run, or one that serves all.
struct Batches {
  Shape shape;  // of the leading axes of the result
  Index outer, inner;
  Index a_count, b_count;

  Index run_step(Index count) const { return count == outer * inner ? inner : 0; }  // between runs
  Index step(Index count) const { return count == 1 ? 0 : 1; }                      // inside a run
};

Batches batches(const Shape& a, const Shape& b) {
  const Shape lead_a = a.front(a.rank() - 2), lead_b = b.front(b.rank() - 2);
  const Shape shape = broadcast(lead_a, lead_b);
  Index inner = shape.count();
  for (const Shape& lead : {lead_a, lead_b}) {
    if (lead.count() == 1 || lead == shape) continue;
    check(lead.rank() < shape.rank() && lead == shape.back(lead.rank()), "a product of ", a,
          " and ", b, ": leading axes must agree from the end, or one side be a single matrix");
    inner = lead.count();
  }
  return {shape, inner == 0 ? 0 : shape.count() / inner, inner, lead_a.count(), lead_b.count()};
}

Tensor product(const Tensor& a, const Tensor& b, Transpose transpose) {
  check(a.rank() >= 2 && b.rank() >= 2, "a product takes matrices, got ", a.shape(), " and ",
        b.shape());
  check(a.dtype() == b.dtype(), "a product of ", name(a.dtype()), " and ", name(b.dtype()));
  const Index M = a.size(transpose.a ? -1 : -2), K = a.size(transpose.a ? -2 : -1);
  const Index N = b.size(transpose.b ? -2 : -1);
  check(K == b.size(transpose.b ? -1 : -2), "a product of ", a.shape(),
        transpose.a ? " transposed" : "", " and ", b.shape(), transpose.b ? " transposed" : "",
        ": inner sizes differ");
  const Batches all = batches(a.shape(), b.shape());
  Tensor c = Tensor::empty(all.shape.joined({M, N}), a.dtype());
  // One weight for all rows: the leading axes of `a` are only more rows of one product.
  const Index count = all.outer * all.inner;
  const bool flat = all.b_count == 1 && all.a_count == count && !transpose.a;
  const Index rows = flat ? count * M : M;
  visit(a.dtype(), [&]<class T>(T) {
    const T* a_data = std::as_const(a).span<T>().data();
    const T* b_data = std::as_const(b).span<T>().data();
    for (Index run = 0; run < (flat ? 1 : all.outer); ++run) {
      const Index a_at = run * all.run_step(all.a_count) * M * K;
      const Index b_at = run * all.run_step(all.b_count) * K * N;
      launch(
          a.device(), kernel::matmul,
          Product<T>{.a = {a_data + a_at, transpose.a ? K : rows, transpose.a ? M : K, a.size(-1)},
                     .b = {b_data + b_at, b.size(-2), b.size(-1), b.size(-1)},
                     .c = {c.span<T>().data() + run * all.inner * M * N, rows, N, N},
                     .transpose_a = transpose.a,
                     .transpose_b = transpose.b,
                     .batch = flat ? 1 : all.inner,
                     .a_step = all.step(all.a_count) * M * K,
                     .b_step = all.step(all.b_count) * K * N,
                     .c_step = M * N});
    }
  });
  return c;
}

/// The gradient of one operand, summed over the batches it served. With one matrix for all rows
/// this is itself one long product.
Tensor operand_gradient(const Tensor& left, const Tensor& right, Transpose transpose,
                        const Shape& shape) {
  if (shape.rank() == 2 && transpose.a && !transpose.b && left.rank() > 2) {
    const Index rows = left.shape().front(left.rank() - 1).count();
    return product(left.reshaped({rows, left.size(-1)}), right.reshaped({rows, right.size(-1)}),
                   transpose);
  }
  return sum_to(product(left, right, transpose), shape);
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, Transpose transpose) {
  return product(a, b, transpose);
}

Var matmul(const Var& a, const Var& b, Transpose transpose) {
  Tensor y = product(a.value(), b.value(), transpose);

  //  y = A B:   dA = dy B',  dB = A' dy.  For a transposed operand the same, transposed.
  return record(y, {a, b}, [a, b, transpose](const Tensor& dy) {
    if (a.needs_grad())
      a.accumulate(transpose.a ? operand_gradient(b.value(), dy, {transpose.b, true}, a.shape())
                               : operand_gradient(dy, b.value(), {false, !transpose.b}, a.shape()));
    if (b.needs_grad())
      b.accumulate(transpose.b ? operand_gradient(dy, a.value(), {true, transpose.a}, b.shape())
                               : operand_gradient(a.value(), dy, {!transpose.a, false}, b.shape()));
  });
}

}  // namespace regard
