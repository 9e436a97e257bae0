#include "regard/backend/additive_scores.h"

#include "regard/backend/cpu/additive_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/additive_scores.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"
#include "regard/base/elementary.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

/// slope += dy (1 - u^2) and, where wanted, dw += dy u.
void AddAdditiveSlope(const float* a, const float* b, Index width, float dy,
                      float* const* slope_dw) {
  const F32 d;
  const auto scale = hn::Set(d, dy), one = hn::Set(d, 1.0f);
  float *slope = slope_dw[0], *dw = slope_dw[1];
  EachVector(width, [&](Index i, Index left) {
    const auto u = Tanh(d, hn::Add(LoadSome(a + i, left), LoadSome(b + i, left)));
    const auto sum = hn::MulAdd(scale, hn::NegMulAdd(u, u, one), LoadSome(slope + i, left));
    StoreSome(sum, slope + i, left);
    if (dw) StoreSome(hn::MulAdd(scale, u, LoadSome(dw + i, left)), dw + i, left);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(AddAdditiveSlope);

namespace kernel {
namespace {

void add_slope(const f32* a, const f32* b, Index width, f32 dy, f32* const* slope_dw) {
  HWY_DYNAMIC_DISPATCH(AddAdditiveSlope)(a, b, width, dy, slope_dw);
}

void add_slope(const f64* a, const f64* b, Index width, f64 dy, f64* const* slope_dw) {
  for (Index i = 0; i < width; ++i) {
    const f64 u = elementary::tanh(a[i] + b[i]);
    slope_dw[0][i] += dy * (1 - u * u);
    if (slope_dw[1]) slope_dw[1][i] += dy * u;
  }
}

Index grain(Index work) {
  return std::max<Index>(1, 4096 / std::max<Index>(1, work));
}

template <Real T>
void forward(Cpu& cpu, const AdditiveInput<T>& in, Rows<T> y) {
  const Index S = in.keys(), queries = in.queries(), width = in.a.width;
  cpu.parallel_ranges(y.count, grain(S * width), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const Index batch = r / queries;
      additive_row({in.a[r].data(),
                    {in.b.data + batch * S * width, S, width},
                    in.w[batch % in.w.count].data()},
                   y[r].data());
    }
  });
}

template <Real T>
void backward(Cpu& cpu, const AdditiveInput<T>& in, Rows<const T> dy, Rows<T> da, Rows<T> dw) {
  const Index S = in.keys(), queries = in.queries(), width = in.a.width;
  cpu.parallel_ranges(da.count, grain(S * width), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const Index batch = r / queries;
      T* const slope_dw[] = {da[r].data(), dw.data ? dw[r].data() : nullptr};
      std::fill_n(slope_dw[0], width, T(0));
      if (slope_dw[1]) std::fill_n(slope_dw[1], width, T(0));
      for (Index s = 0; s < S; ++s)
        if (dy[r][s] != 0)
          add_slope(in.a[r].data(), in.b[batch * S + s].data(), width, dy[r][s], slope_dw);
      const std::span<const T> w = in.w[batch % in.w.count];
      for (Index i = 0; i < width; ++i) da[r][i] *= w[i];
    }
  });
}

}  // namespace

void AdditiveScores::operator()(Cpu& cpu, const AdditiveInput<f32>& in, Rows<f32> y) const {
  forward(cpu, in, y);
}
void AdditiveScores::operator()(Cpu& cpu, const AdditiveInput<f64>& in, Rows<f64> y) const {
  forward(cpu, in, y);
}

void AdditiveScoresBackward::operator()(Cpu& cpu, const AdditiveInput<f32>& in, Rows<const f32> dy,
                                        Rows<f32> da, Rows<f32> dw) const {
  backward(cpu, in, dy, da, dw);
}
void AdditiveScoresBackward::operator()(Cpu& cpu, const AdditiveInput<f64>& in, Rows<const f64> dy,
                                        Rows<f64> da, Rows<f64> dw) const {
  backward(cpu, in, dy, da, dw);
}

}  // namespace kernel
}  // namespace regard
#endif
