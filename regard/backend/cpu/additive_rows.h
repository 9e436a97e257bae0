#pragma once

#include "regard/backend/dropout.h"

// Additive attention of one query, row by row, for a decoder that looks once a step.

namespace regard::kernel {

/// y = x * scale where the element stays, else 0 (backend/dropout.h); y may be x.
void drop_row(const DropoutDraws& draws, const RowPlace& place, Rows<const f32> x, f32* y);
void drop_row(const DropoutDraws& draws, const RowPlace& place, Rows<const f64> x, f64* y);

/// y = sum_s weights[s] values[s], a chain of fused multiply-adds over s, as a product makes it. A
/// value without weight is not read.
void mix_row(const f32* weights, Rows<const f32> values, f32* y);
void mix_row(const f64* weights, Rows<const f64> values, f64* y);

/// dweights[s] = <dy, values[s]>,  dvalues[s] += weights[s] dy, where there is weight; else 0.
template <class T>
struct MixRowGradient {
  const T* dy;
  T* dweights;
  Rows<T> dvalues;
};
void mix_row_backward(const f32* weights, Rows<const f32> values, const MixRowGradient<f32>& out);
void mix_row_backward(const f64* weights, Rows<const f64> values, const MixRowGradient<f64>& out);

/// One query of additive scores (backend/additive_scores.h): query [h], keys [S, h], judge [h].
template <class T>
struct AdditiveRow {
  const T* query;
  Rows<const T> keys;
  const T* judge;
};
/// scores[s] = judge' tanh(query + keys[s])
void additive_row(const AdditiveRow<f32>& in, f32* scores);
void additive_row(const AdditiveRow<f64>& in, f64* scores);

/// With u = tanh(query + keys[s]) and g = dscores[s] judge (1 - u^2):
///   dquery = sum_s g   dkeys[s] += g   djudge += sum_s dscores[s] u
/// A pair whose dscore is 0 is skipped.
template <class T>
struct AdditiveRowGradient {
  const T* dscores;
  T* dquery;
  Rows<T> dkeys;
  T* djudge;
};
void additive_row_backward(const AdditiveRow<f32>& in, const AdditiveRowGradient<f32>& out);
void additive_row_backward(const AdditiveRow<f64>& in, const AdditiveRowGradient<f64>& out);

}  // namespace regard::kernel
