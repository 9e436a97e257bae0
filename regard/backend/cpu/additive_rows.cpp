#include "regard/backend/cpu/additive_rows.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/additive_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/dropout-inl.h"
#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"
#include "regard/base/elementary.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

void DropThisRow(const DropoutDraws& draws, const RowPlace& place, Rows<const float> x, float* y) {
  DropRow(draws, place, x.data, y, x.width);
}

void MixRow(const float* weights, Rows<const float> values, float* y) {
  const F32 d;
  EachVector(values.width, [&](Index i, Index left) {
    auto sum = hn::Zero(d);
    for (Index s = 0; s < values.count; ++s)
      if (weights[s] != 0)
        sum = hn::MulAdd(hn::Set(d, weights[s]), LoadSome(values.data + s * values.width + i, left),
                         sum);
    StoreSome(sum, y + i, left);
  });
}

void MixRowBackward(const float* weights, Rows<const float> values,
                    const kernel::MixRowGradient<float>& out) {
  const F32 d;
  const Index width = values.width;
  for (Index s = 0; s < values.count; ++s) {
    out.dweights[s] = 0;
    if (weights[s] == 0) continue;
    const float* value = values.data + s * width;
    float* dvalue = out.dvalues.data + s * width;
    const auto weight = hn::Set(d, weights[s]);
    out.dweights[s] = SumOf(width, [&](Index i, Index left) {
      const auto dy = LoadSome(out.dy + i, left);
      StoreSome(hn::MulAdd(weight, dy, LoadSome(dvalue + i, left)), dvalue + i, left);
      return hn::Mul(dy, LoadSome(value + i, left));
    });
  }
}

void ScoreRow(const kernel::AdditiveRow<float>& in, float* scores) {
  const F32 d;
  const Index width = in.keys.width;
  for (Index s = 0; s < in.keys.count; ++s) {
    const float* key = in.keys.data + s * width;
    scores[s] = SumOf(width, [&](Index i, Index left) {
      const auto u = Tanh(d, hn::Add(LoadSome(in.query + i, left), LoadSome(key + i, left)));
      return hn::Mul(LoadSome(in.judge + i, left), u);
    });
  }
}

void ScoreRowBackward(const kernel::AdditiveRow<float>& in,
                      const kernel::AdditiveRowGradient<float>& out) {
  const F32 d;
  const auto one = hn::Set(d, 1.0f);
  const Index width = in.keys.width;
  EachVector(width, [&](Index i, Index left) {
    const auto query = LoadSome(in.query + i, left), judge = LoadSome(in.judge + i, left);
    auto dquery = hn::Zero(d), djudge = LoadSome(out.djudge + i, left);
    for (Index s = 0; s < in.keys.count; ++s) {
      if (out.dscores[s] == 0) continue;
      const auto dscore = hn::Set(d, out.dscores[s]);
      const auto u = Tanh(d, hn::Add(query, LoadSome(in.keys.data + s * width + i, left)));
      const auto slope = hn::Mul(hn::Mul(dscore, judge), hn::NegMulAdd(u, u, one));
      float* dkey = out.dkeys.data + s * width + i;
      StoreSome(hn::Add(LoadSome(dkey, left), slope), dkey, left);
      dquery = hn::Add(dquery, slope);
      djudge = hn::MulAdd(dscore, u, djudge);
    }
    StoreSome(dquery, out.dquery + i, left);
    StoreSome(djudge, out.djudge + i, left);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(DropThisRow);
HWY_EXPORT(MixRow);
HWY_EXPORT(MixRowBackward);
HWY_EXPORT(ScoreRow);
HWY_EXPORT(ScoreRowBackward);

namespace kernel {

void drop_row(const DropoutDraws& draws, const RowPlace& place, Rows<const f32> x, f32* y) {
  HWY_DYNAMIC_DISPATCH(DropThisRow)(draws, place, x, y);
}
void drop_row(const DropoutDraws& draws, const RowPlace& place, Rows<const f64> x, f64* y) {
  std::uint8_t kept = 0;
  for (Index s = 0; s < x.width; ++s) {
    if (s % 8 == 0) kept = draws.kept(place.b, place.h, place.t, s / 8);
    y[s] = kept >> s % 8 & 1 ? x.data[s] * draws.scale() : 0;
  }
}

void mix_row(const f32* weights, Rows<const f32> values, f32* y) {
  HWY_DYNAMIC_DISPATCH(MixRow)(weights, values, y);
}
void mix_row(const f64* weights, Rows<const f64> values, f64* y) {
  std::fill_n(y, values.width, 0);
  for (Index s = 0; s < values.count; ++s)
    if (weights[s] != 0)
      for (Index i = 0; i < values.width; ++i) y[i] = std::fma(weights[s], values[s][i], y[i]);
}

void mix_row_backward(const f32* weights, Rows<const f32> values, const MixRowGradient<f32>& out) {
  HWY_DYNAMIC_DISPATCH(MixRowBackward)(weights, values, out);
}
void mix_row_backward(const f64* weights, Rows<const f64> values, const MixRowGradient<f64>& out) {
  for (Index s = 0; s < values.count; ++s) {
    f64 dot = 0;
    for (Index i = 0; weights[s] != 0 && i < values.width; ++i) {
      dot += out.dy[i] * values[s][i];
      out.dvalues[s][i] += weights[s] * out.dy[i];
    }
    out.dweights[s] = dot;
  }
}

void additive_row(const AdditiveRow<f32>& in, f32* scores) {
  HWY_DYNAMIC_DISPATCH(ScoreRow)(in, scores);
}
void additive_row(const AdditiveRow<f64>& in, f64* scores) {
  for (Index s = 0; s < in.keys.count; ++s) {
    scores[s] = 0;
    for (Index i = 0; i < in.keys.width; ++i)
      scores[s] += in.judge[i] * elementary::tanh(in.query[i] + in.keys[s][i]);
  }
}

void additive_row_backward(const AdditiveRow<f32>& in, const AdditiveRowGradient<f32>& out) {
  HWY_DYNAMIC_DISPATCH(ScoreRowBackward)(in, out);
}
void additive_row_backward(const AdditiveRow<f64>& in, const AdditiveRowGradient<f64>& out) {
  std::fill_n(out.dquery, in.keys.width, 0);
  for (Index s = 0; s < in.keys.count; ++s)
    for (Index i = 0; out.dscores[s] != 0 && i < in.keys.width; ++i) {
      const f64 u = elementary::tanh(in.query[i] + in.keys[s][i]);
      const f64 slope = out.dscores[s] * in.judge[i] * (1 - u * u);
      out.dquery[i] += slope;
      out.dkeys[s][i] += slope;
      out.djudge[i] += out.dscores[s] * u;
    }
}

}  // namespace kernel
}  // namespace regard
#endif
