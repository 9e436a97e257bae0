#include <algorithm>
#include <cmath>
#include <vector>

#include "regard/backend/cpu/math.h"
#include "regard/backend/cpu/matmul_one.h"

namespace regard {
namespace {

constexpr Index kCols = 512;  // of C at once: 4 KiB, which stay in the level-1 cache

/// c[n] += sum_i a[i] b[i][n], four k at a time so that c is loaded and stored once for them.
void add_rows(const f64* a, Index a_step, Matrix<const f64> b, f64* c) {
  Index k = 0;
  for (; k + 4 <= b.rows; k += 4) {
    const f64 a0 = a[k * a_step], a1 = a[(k + 1) * a_step];
    const f64 a2 = a[(k + 2) * a_step], a3 = a[(k + 3) * a_step];
    const f64 *b0 = b.row(k), *b1 = b.row(k + 1), *b2 = b.row(k + 2), *b3 = b.row(k + 3);
    for (Index n = 0; n < b.cols; ++n)
      c[n] =
          std::fma(a3, b3[n], std::fma(a2, b2[n], std::fma(a1, b1[n], std::fma(a0, b0[n], c[n]))));
  }
  for (; k < b.rows; ++k)
    for (Index n = 0; n < b.cols; ++n) c[n] = std::fma(a[k * a_step], b.row(k)[n], c[n]);
}

}  // namespace

void multiply(Cpu& cpu, const Product<f64>& p) {
  const Index M = p.c.rows, N = p.c.cols, K = p.transpose_a ? p.a.rows : p.a.cols;
  Matrix<const f64> b = p.b;
  std::vector<f64> turned;  // columns become rows, so that the loop over n runs along memory
  if (p.transpose_b) {
    turned.resize(static_cast<std::size_t>(K * N));
    for (Index n = 0; n < N; ++n)
      for (Index k = 0; k < K; ++k) turned[k * N + n] = p.b.row(n)[k];
    b = {turned.data(), K, N, N};
  }
  const Index grain = std::max<Index>(1, (1 << 18) / std::max<Index>(1, N * K));
  cpu.parallel_ranges(M, grain, [&](Index begin, Index end) {
    for (Index n = 0; n < N; n += kCols)
      for (Index m = begin; m < end; ++m) {
        const Index cols = std::min(kCols, N - n);
        f64* c = p.c.row(m) + n;
        if (!p.accumulate) std::fill_n(c, cols, 0.0);
        add_rows(p.transpose_a ? p.a.data + m : p.a.row(m), p.transpose_a ? p.a.stride : 1,
                 {b.data + n, K, cols, b.stride}, c);
        for (Index i = 0; i < cols; ++i) {
          if (p.bias) c[i] += p.bias[n + i];
          if (p.activation != Activation::none) c[i] = activate(p.activation, c[i]);
        }
      }
  });
}

}  // namespace regard
