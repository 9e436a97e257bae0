// Rearranging operands of the f32 product into the order its tiles read. Compiled per instruction
// set.
#if defined(REGARD_BACKEND_CPU_MATMUL_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_MATMUL_PACK_INL_H_
#undef REGARD_BACKEND_CPU_MATMUL_PACK_INL_H_
#else
#define REGARD_BACKEND_CPU_MATMUL_PACK_INL_H_
#endif

#include <hwy/highway.h>

#include "regard/backend/cpu/matmul_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `rows` of op(A), depth k, from `a`. Where A is transposed, `a` is stored [k, rows].
void PackRows(Matrix<const float> a, bool transposed, float* out) {
  const TileTag d;
  if (!transposed) {
    for (Index m = 0; m < a.rows; ++m) {
      const float* from = a.row(m);
      float* to = out + m * kRowPitch;
      Index k = 0;
      for (; k + kVector <= a.cols; k += kVector) hn::StoreU(hn::LoadU(d, from + k), d, to + k);
      for (; k < a.cols; ++k) to[k] = from[k];
    }
    return;
  }
  // A whole vector is copied where only a tile's height is wanted: the next k overwrites what is
  // over, and after the last one there is room until the next strip.
  for (Index k = 0; k < a.rows; ++k) {
    const float* from = a.row(k);
    Index m = 0;
    for (; m + kVector <= a.cols; m += kTileRows) {
      __builtin_prefetch(from + kAhead * a.stride + m);
      hn::StoreU(hn::LoadU(d, from + m), d, out + m * kRowPitch + k * kTileRows);
    }
    for (; m < a.cols; m += kTileRows)
      for (Index r = 0; r < kTileRows && m + r < a.cols; ++r)
        out[m * kRowPitch + k * kTileRows + r] = from[m + r];
  }
}

/// Four elements from each of MaxLanes / 4 rows, `stride` apart, side by side.
template <class D>
HWY_INLINE hn::Vec<D> LoadFours(D d, const float* HWY_RESTRICT from, Index stride) {
  if constexpr (hn::MaxLanes(D()) == 4) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    const Index rows = static_cast<Index>(hn::MaxLanes(half)) / 4;
    return hn::Combine(d, LoadFours(half, from + rows * stride, stride),
                       LoadFours(half, from, stride));
  }
}

/// Four elements from each of kVector rows, `stride` apart, transposed: kVector elements for each
/// of four k, `step` apart.
HWY_INLINE void TransposeFour(const float* HWY_RESTRICT from, Index stride, float* HWY_RESTRICT to,
                              Index step) {
  const TileTag d;
  const hn::Repartition<double, TileTag> pairs;
  // Row 4i + r goes into the i-th block of 128 bits of line r, because shuffles stay within blocks.
  const auto row0 = LoadFours(d, from, 4 * stride), row1 = LoadFours(d, from + stride, 4 * stride);
  const auto row2 = LoadFours(d, from + 2 * stride, 4 * stride);
  const auto row3 = LoadFours(d, from + 3 * stride, 4 * stride);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, row0, row1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, row2, row3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, row0, row1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, row2, row3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * step);
}

/// Columns of op(B), as many as a tile has, k by k, `step` apart; columns past the last are 0.
/// Where B is transposed, `b` is stored [columns, k].
void PackPanel(Matrix<const float> b, bool transposed, float* out, Index step) {
  const TileTag d;
  const Index depth = transposed ? b.cols : b.rows, cols = transposed ? b.rows : b.cols;
  if (cols < kTileCols) {
    for (Index k = 0; k < depth; ++k)
      for (Index n = 0; n < kTileCols; ++n)
        out[k * step + n] = n >= cols ? 0 : transposed ? b.row(n)[k] : b.row(k)[n];
    return;
  }
  if (!transposed) {
    for (Index k = 0; k < depth; ++k) {
      __builtin_prefetch(b.row(k + kAhead));
      __builtin_prefetch(b.row(k + kAhead) + kTileCols - 1);
      hn::StoreU(hn::LoadU(d, b.row(k)), d, out + k * step);
      hn::StoreU(hn::LoadU(d, b.row(k) + kVector), d, out + k * step + kVector);
    }
    return;
  }
  Index k = 0;
  for (; k + 4 <= depth; k += 4) {
    TransposeFour(b.data + k, b.stride, out + k * step, step);
    TransposeFour(b.row(kVector) + k, b.stride, out + k * step + kVector, step);
  }
  for (; k < depth; ++k)
    for (Index n = 0; n < kTileCols; ++n) out[k * step + n] = b.row(n)[k];
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
