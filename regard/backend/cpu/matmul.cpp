#include "regard/backend/matmul.h"

#include "regard/backend/cpu/matmul_one.h"

namespace regard::kernel {
namespace {

// Products smaller than this are spread over the threads whole; larger ones are cut.
constexpr Index kWhole = Index{1} << 22;  // multiply-adds

/// Where all products share B and follow each other in A and C, they are one taller product.
template <Real T>
bool stacks(const Product<T>& p) {
  return p.b_step == 0 && !p.transpose_a && p.a_step == p.c.rows * p.a.stride &&
         p.c_step == p.c.rows * p.c.stride;
}

/// A column that lies close is a row of the transposed product, (A b)' = b' A': its elements then
/// lie side by side in a vector. Each is the same chain either way.
template <Real T>
Product<T> as_row(const Product<T>& p) {
  Product<T> row = p;
  row.a = p.b;
  row.b = p.a;
  row.transpose_a = !p.transpose_b;
  row.transpose_b = !p.transpose_a;
  row.c = {p.c.data, 1, p.c.rows, p.c.rows};
  return row;
}

template <Real T>
void run_one(Cpu& cpu, Product<T> p, Index i) {
  p.a.data += i * p.a_step;
  p.b.data += i * p.b_step;
  p.c.data += i * p.c_step;
  const bool column = p.c.cols == 1 && p.c.stride == 1 && p.c.rows > 1;
  if (column && !p.bias && !p.panels && !p.int8) return multiply(cpu, as_row(p));
  multiply(cpu, p);
}

template <Real T>
void run(Cpu& cpu, Product<T> p) {
  const Index K = p.transpose_a ? p.a.rows : p.a.cols;
  if (p.c.rows == 0 || p.c.cols == 0 || (K == 0 && p.accumulate)) return;
  if (p.batch > 1 && stacks(p)) {
    p.a.rows *= p.batch;
    p.c.rows *= p.batch;
    p.batch = 1;
  }
  if (p.batch > 1 && p.c.rows * p.c.cols * K < kWhole) {
    cpu.parallel(p.batch, [&](Index i) { run_one(cpu, p, i); });
  } else {
    for (Index i = 0; i < p.batch; ++i) run_one(cpu, p, i);
  }
}

}  // namespace

void Matmul::operator()(Cpu& cpu, const Product<f32>& product) const {
  run(cpu, product);
}
void Matmul::operator()(Cpu& cpu, const Product<f64>& product) const {
  run(cpu, product);
}

}  // namespace regard::kernel
