#include "regard/backend/cpu/gru_rows.h"

#include "regard/backend/cpu/math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/gru_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"
#include "regard/base/elementary.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

void GruForward(const kernel::GruRow<float>& in, float* y, float* gates) {
  const F32 d;
  const Index D = in.width;
  EachVector(D, [&](Index i, Index left) {
    const float *gx = in.gx + i, *gh = in.gh + i;
    const auto r = Sigmoid(d, hn::Add(LoadSome(gx, left), LoadSome(gh, left)));
    const auto z = Sigmoid(d, hn::Add(LoadSome(gx + D, left), LoadSome(gh + D, left)));
    const auto gh_n = LoadSome(gh + 2 * D, left);
    const auto n = Tanh(d, hn::MulAdd(r, gh_n, LoadSome(gx + 2 * D, left)));
    const auto h = LoadSome(in.h + i, left);
    StoreSome(hn::MulAdd(z, hn::Sub(h, n), n), y + i, left);
    StoreSome(r, gates + i, left);
    StoreSome(z, gates + D + i, left);
    StoreSome(n, gates + 2 * D + i, left);
    StoreSome(gh_n, gates + 3 * D + i, left);
  });
}

void GruBackward(const float* gates, const float* h, Index D,
                 const kernel::GruRowGradient<float>& out) {
  const F32 d;
  const auto one = hn::Set(d, 1.0f);
  EachVector(D, [&](Index i, Index left) {
    const auto r = LoadSome(gates + i, left), z = LoadSome(gates + D + i, left);
    const auto n = LoadSome(gates + 2 * D + i, left), gh_n = LoadSome(gates + 3 * D + i, left);
    const auto dy = LoadSome(out.dy + i, left);
    const auto dn = hn::Mul(hn::Mul(dy, hn::Sub(one, z)), hn::NegMulAdd(n, n, one));
    const auto dz =
        hn::Mul(hn::Mul(dy, hn::Sub(LoadSome(h + i, left), n)), hn::Mul(z, hn::Sub(one, z)));
    const auto dr = hn::Mul(hn::Mul(dn, gh_n), hn::Mul(r, hn::Sub(one, r)));
    StoreSome(dr, out.dgx + i, left);
    StoreSome(dr, out.dgh + i, left);
    StoreSome(dz, out.dgx + D + i, left);
    StoreSome(dz, out.dgh + D + i, left);
    StoreSome(dn, out.dgx + 2 * D + i, left);
    StoreSome(hn::Mul(dn, r), out.dgh + 2 * D + i, left);
    StoreSome(hn::Mul(dy, z), out.dh + i, left);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(GruForward);
HWY_EXPORT(GruBackward);

namespace kernel {

void gru_row(const GruRow<f32>& in, f32* y, f32* gates) {
  HWY_DYNAMIC_DISPATCH(GruForward)(in, y, gates);
}

void gru_row(const GruRow<f64>& in, f64* y, f64* gates) {
  const Index D = in.width;
  for (Index i = 0; i < D; ++i) {
    const f64 r = activate(Activation::sigmoid, in.gx[i] + in.gh[i]);
    const f64 z = activate(Activation::sigmoid, in.gx[D + i] + in.gh[D + i]);
    const f64 gh_n = in.gh[2 * D + i];
    const f64 n = elementary::tanh(in.gx[2 * D + i] + r * gh_n);
    y[i] = (1 - z) * n + z * in.h[i];
    gates[i] = r;
    gates[D + i] = z;
    gates[2 * D + i] = n;
    gates[3 * D + i] = gh_n;
  }
}

void gru_row_backward(const f32* gates, const f32* h, Index width, const GruRowGradient<f32>& out) {
  HWY_DYNAMIC_DISPATCH(GruBackward)(gates, h, width, out);
}

void gru_row_backward(const f64* gates, const f64* h, Index D, const GruRowGradient<f64>& out) {
  for (Index i = 0; i < D; ++i) {
    const f64 r = gates[i], z = gates[D + i], n = gates[2 * D + i], dy = out.dy[i];
    const f64 dn = dy * (1 - z) * (1 - n * n);
    out.dgx[i] = out.dgh[i] = dn * gates[3 * D + i] * r * (1 - r);
    out.dgx[D + i] = out.dgh[D + i] = dy * (h[i] - n) * z * (1 - z);
    out.dgx[2 * D + i] = dn;
    out.dgh[2 * D + i] = dn * r;
    out.dh[i] = dy * z;
  }
}

}  // namespace kernel
}  // namespace regard
#endif
