#include <algorithm>
#include <cmath>

#include "regard/backend/int8.h"

namespace regard::kernel {

void QuantiseWeight::operator()(Cpu& cpu, Matrix<const f32> weight, bool transposed,
                                const Int8Weight& to) const {
  const Index N = transposed ? weight.rows : weight.cols;
  const Index K = transposed ? weight.cols : weight.rows;
  const Index k_step = transposed ? 1 : weight.stride, n_step = transposed ? weight.stride : 1;
  const Index k_to = transposed ? 1 : weight.cols, n_to = transposed ? weight.cols : 1;
  cpu.parallel(N, [&](Index n) {
    const f32* column = weight.data + n * n_step;
    f32 most = 0;
    for (Index k = 0; k < K; ++k) most = std::max(most, std::abs(column[k * k_step]));
    const f32 scale = most / static_cast<f32>(kInt8Max);
    to.scales[n] = scale;
    for (Index k = 0; k < K; ++k) {
      const f32 q = scale > 0 ? std::nearbyint(column[k * k_step] / scale) : 0;
      to.q[n * n_to + k * k_to] = static_cast<std::int8_t>(
          std::clamp(q, -static_cast<f32>(kInt8Max), static_cast<f32>(kInt8Max)));
    }
  });
}

void PackInt8::operator()(Cpu& cpu, Matrix<const std::int8_t> q, bool transposed,
                          const Int8Panels& panels, std::int8_t* data, std::int32_t* shifts) const {
  const auto element = [&](Index k, Index n) -> std::int8_t {
    if (k >= panels.K || n >= panels.N) return 0;
    return transposed ? q.row(n)[k] : q.row(k)[n];
  };
  cpu.parallel(panels.columns(), [&](Index n) {
    std::int32_t sum = 0;
    for (Index k = 0; k < panels.depth(); ++k) {
      const std::int8_t w = element(k, n);
      data[panels.at(k, n)] = w;
      sum += w;
    }
    shifts[n] = 128 * sum;
  });
}

}  // namespace regard::kernel
