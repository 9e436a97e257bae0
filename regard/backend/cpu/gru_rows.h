#pragma once

#include "regard/base/real.h"

namespace regard::kernel {

/// What one row of a GRU cell (backend/gru_cell.h) reads: gates of the input and of the state,
/// [3 D] each, and the state [D].
template <class T>
struct GruRow {
  const T *gx, *gh, *h;
  Index width;
};

/// The next state y [D]. Leaves r, z, n and gh_n in `gates` [4 D].
void gru_row(const GruRow<f32>& in, f32* y, f32* gates);
void gru_row(const GruRow<f64>& in, f64* y, f64* gates);

/// Where the gradient of one row comes from and goes; dh may be dy.
template <class T>
struct GruRowGradient {
  const T* dy;
  T *dgx, *dgh, *dh;
};
void gru_row_backward(const f32* gates, const f32* h, Index width, const GruRowGradient<f32>& out);
void gru_row_backward(const f64* gates, const f64* h, Index width, const GruRowGradient<f64>& out);

}  // namespace regard::kernel
