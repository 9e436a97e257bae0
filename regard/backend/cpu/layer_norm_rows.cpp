#include "regard/backend/cpu/layer_norm_rows.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/layer_norm_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/dropout-inl.h"
#include "regard/backend/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

struct Moments {
  float mean, scale;  // scale = 1 / sqrt(variance + epsilon)
};

/// For rows whose squares leave the range of f32.
HWY_NOINLINE Moments WideMoments(const float* x, Index n, double epsilon) {
  double mean = 0, variance = 0;
  for (Index i = 0; i < n; ++i) mean += x[i];
  mean /= static_cast<double>(n);
  for (Index i = 0; i < n; ++i) variance += (x[i] - mean) * (x[i] - mean);
  variance /= static_cast<double>(n);
  return {static_cast<float>(mean), static_cast<float>(1 / std::sqrt(variance + epsilon))};
}

HWY_INLINE Moments MomentsOf(const float* x, Index n, double epsilon) {
  const F32 d;
  const float share = 1 / static_cast<float>(n);
  const auto sum_about = [&](float centre, auto&& of) {
    const auto middle = hn::Set(d, centre);
    return SumOf(n, [&](Index i, Index left) {
      return ZeroPast(of(hn::Sub(LoadSome(x + i, left), middle)), left);
    });
  };
  const auto plain = [](F32Vec v) { return v; };
  float mean = sum_about(0, plain) * share;
  // Far from 0 the mean's own rounding error would pass for variance; what is left about it mends
  // it.
  mean += sum_about(mean, plain) * share;
  const float variance = sum_about(mean, [](F32Vec v) { return hn::Mul(v, v); }) * share;
  if (!std::isfinite(variance)) return WideMoments(x, n, epsilon);
  return {mean, 1 / std::sqrt(variance + static_cast<float>(epsilon))};
}

HWY_INLINE void NormRow(const NormedRows<float>& rows, const float* x, Index r) {
  const F32 d;
  const Moments moments = MomentsOf(x, rows.x.width, rows.epsilon);
  rows.moments[r][0] = moments.mean;
  rows.moments[r][1] = moments.scale;
  const auto mean = hn::Set(d, moments.mean), scale = hn::Set(d, moments.scale);
  float* y = rows.y[r].data();
  EachVector(rows.x.width, [&](Index i, Index left) {
    const auto normal = hn::Mul(hn::Sub(LoadSome(x + i, left), mean), scale);
    const auto gain = LoadSome(rows.gain + i, left), shift = LoadSome(rows.shift + i, left);
    StoreSome(hn::MulAdd(normal, gain, shift), y + i, left);
  });
}

void NormRange(const NormedRows<float>& rows, Index begin, Index end) {
  for (Index r = begin; r < end; ++r) NormRow(rows, rows.x[r].data(), r);
}

/// sum[r] = dropout(from), which may be it. A normed row may be several rows of dropout.
HWY_INLINE void DropInto(const Residual<float>& residual, Index r, const float* from) {
  const Index width = residual.sum.width, keys = residual.shape.keys;
  float* sum = residual.sum[r].data();
  for (Index i = 0; i < width; i += keys)
    DropRow(residual.draws, RowPlace::of(residual.shape, (r * width + i) / keys), from + i, sum + i,
            keys);
}

void AddNormRange(const Residual<float>& residual, const NormedRows<float>& rows, Index begin,
                  Index end) {
  const Index width = rows.x.width;
  for (Index r = begin; r < end; ++r) {
    const float *x = rows.x[r].data(), *branch = residual.branch[r].data();
    float* sum = residual.sum[r].data();
    if (residual.draws.active()) {
      DropInto(residual, r, branch);
      branch = sum;
    }
    EachVector(width, [&](Index i, Index left) {
      StoreSome(hn::Add(LoadSome(x + i, left), LoadSome(branch + i, left)), sum + i, left);
    });
    NormRow(rows, sum, r);
  }
}

void NormGradientRange(const NormGradients<float>& rows, Index begin, Index end) {
  const F32 d;
  const Index width = rows.x.width, block = begin / NormGradients<float>::kBlock;
  const float share = 1 / static_cast<float>(width);
  float *dgain = rows.dgain[block].data(), *dshift = rows.dshift[block].data();
  for (Index r = begin; r < end; ++r) {
    const float *x = rows.x[r].data(), *dy = rows.dy[r].data();
    const auto mean = hn::Set(d, rows.moments[r][0]), scale = hn::Set(d, rows.moments[r][1]);
    const auto normal = [&](Index i, Index left) {
      return hn::Mul(hn::Sub(LoadSome(x + i, left), mean), scale);
    };
    const auto gained = [&](Index i, Index left) {
      return hn::Mul(LoadSome(dy + i, left), LoadSome(rows.gain + i, left));
    };
    const auto level = hn::Set(d, SumOf(width, gained) * share);
    const auto tilt = hn::Set(d, share * SumOf(width, [&](Index i, Index left) {
                                   return ZeroPast(hn::Mul(gained(i, left), normal(i, left)), left);
                                 }));
    EachVector(width, [&](Index i, Index left) {
      const auto z = normal(i, left), g = gained(i, left), up = LoadSome(dy + i, left);
      const auto dx = hn::Mul(scale, hn::NegMulAdd(z, tilt, hn::Sub(g, level)));
      StoreSome(dx, rows.dx[r].data() + i, left);
      const auto zero = hn::Zero(d);
      const bool first = r == begin;
      StoreSome(hn::MulAdd(up, z, first ? zero : LoadSome(dgain + i, left)), dgain + i, left);
      StoreSome(hn::Add(up, first ? zero : LoadSome(dshift + i, left)), dshift + i, left);
    });
    if (rows.dropped.sum.data) DropInto(rows.dropped, r, rows.dx[r].data());
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(NormRange);
HWY_EXPORT(AddNormRange);
HWY_EXPORT(NormGradientRange);

namespace kernel {

void norm_rows_f32(const NormedRows<f32>& rows, Index begin, Index end) {
  HWY_DYNAMIC_DISPATCH(NormRange)(rows, begin, end);
}
void add_norm_rows_f32(const Residual<f32>& residual, const NormedRows<f32>& rows, Index begin,
                       Index end) {
  HWY_DYNAMIC_DISPATCH(AddNormRange)(residual, rows, begin, end);
}
void norm_gradient_rows_f32(const NormGradients<f32>& rows, Index begin, Index end) {
  HWY_DYNAMIC_DISPATCH(NormGradientRange)(rows, begin, end);
}

}  // namespace kernel
}  // namespace regard
#endif
