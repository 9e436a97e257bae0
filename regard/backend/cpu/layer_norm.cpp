#include "regard/backend/layer_norm.h"

#include <cmath>

#include "regard/backend/cpu/layer_norm_rows.h"

namespace regard::kernel {
namespace {

Index grain(Index width) {
  return std::max<Index>(1, 8192 / std::max<Index>(1, width));
}

void norm_row(const NormedRows<f64>& rows, std::span<const f64> x, Index r) {
  const auto n = static_cast<f64>(x.size());
  f64 mean = 0, rest = 0, variance = 0;
  for (const f64 v : x) mean += v;
  mean /= n;
  // Far from 0 the mean's own rounding error would pass for variance; what is left about it mends
  // it.
  for (const f64 v : x) rest += v - mean;
  mean += rest / n;
  for (const f64 v : x) variance += (v - mean) * (v - mean);
  variance /= n;
  const f64 scale = 1 / std::sqrt(variance + rows.epsilon);
  rows.moments[r][0] = mean;
  rows.moments[r][1] = scale;
  for (std::size_t i = 0; i < x.size(); ++i)
    rows.y[r][i] = (x[i] - mean) * scale * rows.gain[i] + rows.shift[i];
}

/// Element i of row r, `value`, after dropout.
f64 dropped(const Residual<f64>& residual, Index r, Index i, f64 value) {
  if (!residual.draws.active()) return value;
  const Index at = r * residual.sum.width + i, s = at % residual.shape.keys;
  const RowPlace place = RowPlace::of(residual.shape, at / residual.shape.keys);
  const bool stays = residual.draws.kept(place.b, place.h, place.t, s / 8) >> s % 8 & 1;
  return stays ? value * residual.draws.scale() : 0;
}

/// sum[r] = x[r] + dropout(branch[r])
void add_row(const Residual<f64>& residual, Rows<const f64> x, Index r) {
  for (Index i = 0; i < x.width; ++i)
    residual.sum[r][i] = x[r][i] + dropped(residual, r, i, residual.branch[r][i]);
}

void gradient_row(const NormGradients<f64>& rows, Index r, std::span<f64> dgain,
                  std::span<f64> dshift) {
  const std::span x = rows.x[r], dy = rows.dy[r];
  const f64 mean = rows.moments[r][0], scale = rows.moments[r][1];
  f64 level = 0, tilt = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const f64 z = (x[i] - mean) * scale, g = dy[i] * rows.gain[i];
    level += g;
    tilt += g * z;
    dgain[i] += dy[i] * z;
    dshift[i] += dy[i];
  }
  level /= static_cast<f64>(x.size());
  tilt /= static_cast<f64>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    rows.dx[r][i] = scale * (dy[i] * rows.gain[i] - level - (x[i] - mean) * scale * tilt);
  if (!rows.dropped.sum.data) return;
  for (Index i = 0; i < rows.dx.width; ++i)
    rows.dropped.sum[r][i] = dropped(rows.dropped, r, i, rows.dx[r][i]);
}

}  // namespace

void LayerNorm::operator()(Cpu& cpu, const NormedRows<f32>& rows) const {
  cpu.parallel_ranges(rows.x.count, grain(rows.x.width),
                      [&](Index begin, Index end) { norm_rows_f32(rows, begin, end); });
}
void LayerNorm::operator()(Cpu& cpu, const NormedRows<f64>& rows) const {
  cpu.parallel(rows.x.count, [&](Index r) { norm_row(rows, rows.x[r], r); });
}

void AddNorm::operator()(Cpu& cpu, const Residual<f32>& residual,
                         const NormedRows<f32>& rows) const {
  cpu.parallel_ranges(rows.x.count, grain(rows.x.width), [&](Index begin, Index end) {
    add_norm_rows_f32(residual, rows, begin, end);
  });
}
void AddNorm::operator()(Cpu& cpu, const Residual<f64>& residual,
                         const NormedRows<f64>& rows) const {
  cpu.parallel(rows.x.count, [&](Index r) {
    add_row(residual, rows.x, r);
    norm_row(rows, residual.sum[r], r);
  });
}

void LayerNormBackward::operator()(Cpu& cpu, const NormGradients<f32>& rows) const {
  cpu.parallel_ranges(rows.x.count, NormGradients<f32>::kBlock,
                      [&](Index begin, Index end) { norm_gradient_rows_f32(rows, begin, end); });
}
void LayerNormBackward::operator()(Cpu& cpu, const NormGradients<f64>& rows) const {
  cpu.parallel_ranges(rows.x.count, NormGradients<f64>::kBlock, [&](Index begin, Index end) {
    const std::span dgain = rows.dgain[begin / NormGradients<f64>::kBlock];
    const std::span dshift = rows.dshift[begin / NormGradients<f64>::kBlock];
    std::ranges::fill(dgain, 0);
    std::ranges::fill(dshift, 0);
    for (Index r = begin; r < end; ++r) gradient_row(rows, r, dgain, dshift);
  });
}

}  // namespace regard::kernel
