#include "regard/backend/gru_cell.h"

#include "regard/backend/cpu/math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/gru_cell.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"
#include "regard/base/elementary.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

struct Gates {
  F32Vec r, z, n, gh_n, h;
};

/// The gates of up to kWidth units of row `row`, from unit i on.
HWY_INLINE Gates GatesAt(const GruInput<float>& in, Index row, Index i, Index left) {
  const F32 d;
  const Index D = in.h.width;
  const float* gx = in.gx.data + row * 3 * D + i;
  const float* gh = in.gh.data + row * 3 * D + i;
  Gates g;
  g.r = Sigmoid(d, hn::Add(LoadSome(gx, left), LoadSome(gh, left)));
  g.z = Sigmoid(d, hn::Add(LoadSome(gx + D, left), LoadSome(gh + D, left)));
  g.gh_n = LoadSome(gh + 2 * D, left);
  g.n = Tanh(d, hn::MulAdd(g.r, g.gh_n, LoadSome(gx + 2 * D, left)));
  g.h = LoadSome(in.h.data + row * D + i, left);
  return g;
}

void GruRow(const GruInput<float>& in, Index row, float* y) {
  EachVector(in.h.width, [&](Index i, Index left) {
    const Gates g = GatesAt(in, row, i, left);
    StoreSome(hn::MulAdd(g.z, hn::Sub(g.h, g.n), g.n), y + i, left);
  });
}

void GruRowBackward(const GruInput<float>& in, Index row, const float* dy,
                    const GruGradient<float>& out) {
  const F32 d;
  const auto one = hn::Set(d, 1.0f);
  const Index D = in.h.width;
  float* dgx = out.dgx.data + row * 3 * D;
  float* dgh = out.dgh.data + row * 3 * D;
  EachVector(D, [&](Index i, Index left) {
    const Gates g = GatesAt(in, row, i, left);
    const auto grad = LoadSome(dy + i, left);
    const auto dn = hn::Mul(hn::Mul(grad, hn::Sub(one, g.z)), hn::NegMulAdd(g.n, g.n, one));
    const auto dz = hn::Mul(hn::Mul(grad, hn::Sub(g.h, g.n)), hn::Mul(g.z, hn::Sub(one, g.z)));
    const auto dr = hn::Mul(hn::Mul(dn, g.gh_n), hn::Mul(g.r, hn::Sub(one, g.r)));
    StoreSome(dr, dgx + i, left);
    StoreSome(dr, dgh + i, left);
    StoreSome(dz, dgx + D + i, left);
    StoreSome(dz, dgh + D + i, left);
    StoreSome(dn, dgx + 2 * D + i, left);
    StoreSome(hn::Mul(dn, g.r), dgh + 2 * D + i, left);
    StoreSome(hn::Mul(grad, g.z), out.dh.data + row * D + i, left);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(GruRow);
HWY_EXPORT(GruRowBackward);

namespace kernel {
namespace {

void gru_row(const GruInput<f32>& in, Index row, f32* y) {
  HWY_DYNAMIC_DISPATCH(GruRow)(in, row, y);
}

void gru_row_backward(const GruInput<f32>& in, Index row, const f32* dy,
                      const GruGradient<f32>& out) {
  HWY_DYNAMIC_DISPATCH(GruRowBackward)(in, row, dy, out);
}

struct Gates64 {
  f64 r, z, n, gh_n, h;
};

Gates64 gates(const GruInput<f64>& in, Index row, Index i) {
  const Index D = in.h.width;
  const f64 *gx = in.gx.data + row * 3 * D + i, *gh = in.gh.data + row * 3 * D + i;
  Gates64 g;
  g.r = activate(Activation::sigmoid, gx[0] + gh[0]);
  g.z = activate(Activation::sigmoid, gx[D] + gh[D]);
  g.gh_n = gh[2 * D];
  g.n = elementary::tanh(gx[2 * D] + g.r * g.gh_n);
  g.h = in.h.data[row * D + i];
  return g;
}

void gru_row(const GruInput<f64>& in, Index row, f64* y) {
  for (Index i = 0; i < in.h.width; ++i) {
    const Gates64 g = gates(in, row, i);
    y[i] = (1 - g.z) * g.n + g.z * g.h;
  }
}

void gru_row_backward(const GruInput<f64>& in, Index row, const f64* dy,
                      const GruGradient<f64>& out) {
  const Index D = in.h.width;
  f64 *dgx = out.dgx.data + row * 3 * D, *dgh = out.dgh.data + row * 3 * D;
  for (Index i = 0; i < D; ++i) {
    const Gates64 g = gates(in, row, i);
    const f64 dn = dy[i] * (1 - g.z) * (1 - g.n * g.n);
    dgx[i] = dgh[i] = dn * g.gh_n * g.r * (1 - g.r);
    dgx[D + i] = dgh[D + i] = dy[i] * (g.h - g.n) * g.z * (1 - g.z);
    dgx[2 * D + i] = dn;
    dgh[2 * D + i] = dn * g.r;
    out.dh.data[row * D + i] = dy[i] * g.z;
  }
}

Index grain(Index width) {
  return std::max<Index>(1, 2048 / std::max<Index>(1, width));
}

template <Real T>
void forward(Cpu& cpu, const GruInput<T>& in, Rows<T> y) {
  cpu.parallel_ranges(y.count, grain(y.width), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) gru_row(in, row, y[row].data());
  });
}

template <Real T>
void backward(Cpu& cpu, const GruInput<T>& in, Rows<const T> dy, const GruGradient<T>& out) {
  cpu.parallel_ranges(dy.count, grain(dy.width), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) gru_row_backward(in, row, dy[row].data(), out);
  });
}

}  // namespace

void GruCell::operator()(Cpu& cpu, const GruInput<f32>& in, Rows<f32> y) const {
  forward(cpu, in, y);
}
void GruCell::operator()(Cpu& cpu, const GruInput<f64>& in, Rows<f64> y) const {
  forward(cpu, in, y);
}

void GruCellBackward::operator()(Cpu& cpu, const GruInput<f32>& in, Rows<const f32> dy,
                                 const GruGradient<f32>& out) const {
  backward(cpu, in, dy, out);
}
void GruCellBackward::operator()(Cpu& cpu, const GruInput<f64>& in, Rows<const f64> dy,
                                 const GruGradient<f64>& out) const {
  backward(cpu, in, dy, out);
}

}  // namespace kernel
}  // namespace regard
#endif
