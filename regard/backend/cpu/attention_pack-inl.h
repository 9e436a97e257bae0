// Rearranging the operands of attention into the order its tiles read, and finding what is not
// finite on the way. Such rows are packed as zeros, so that no product carries them to where they
// cannot be seen; who does see them is told by the masks. Compiled per instruction set.
#if defined(REGARD_BACKEND_CPU_ATTENTION_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_ATTENTION_PACK_INL_H_
#undef REGARD_BACKEND_CPU_ATTENTION_PACK_INL_H_
#else
#define REGARD_BACKEND_CPU_ATTENTION_PACK_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "regard/backend/cpu/attention_f32.h"
#include "regard/backend/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Remembers the largest magnitude it was shown, by its bits: those of NaN and infinity are above
/// all.
template <class D>
class Witness {
 public:
  HWY_INLINE Witness() : largest_(hn::Zero(hn::RebindToSigned<D>())) {}
  HWY_INLINE void See(hn::Vec<D> v) {
    const hn::RebindToSigned<D> di;
    largest_ = hn::Max(largest_, hn::BitCast(di, hn::Abs(v)));
  }
  HWY_INLINE bool AllFinite() const {
    const hn::RebindToSigned<D> di;
    return hn::AllTrue(di, hn::Lt(largest_, hn::Set(di, 0x7f800000)));
  }

 private:
  hn::Vec<hn::RebindToSigned<D>> largest_;
};

HWY_INLINE bool RowIsFinite(const float* row, Index width) {
  Witness<F32> witness;
  EachVector(width, [&](Index i, Index left) { witness.See(LoadSome(row + i, left)); });
  return witness.AllFinite();
}

/// scale * rows into slabs, row_at(r) being where row r lies. `bad[r]` takes the flag of rows that
/// are not finite; returns whether there was none.
template <class RowAt>
bool PackSlabs(const RowAt& row_at, Index rows, Index width, float scale, float* out,
               std::uint8_t* bad) {
  const F32 d;
  const F32Vec factor = hn::Set(d, scale);
  Witness<F32> witness;
  for (Index r = 0; r < rows; ++r) {
    const float* from = row_at(r);
    float* to = out + r * kSlab;
    for (Index slab = 0; slab < width; slab += kSlab, to += rows * kSlab)
      for (Index i = slab; i < std::min(width, slab + kSlab); i += kWidth) {
        const F32Vec v = hn::Mul(LoadSome(from + i, width - i), factor);
        witness.See(v);
        hn::StoreU(v, d, to + i - slab);
      }
  }
  if (witness.AllFinite()) [[likely]]
    return true;
  for (Index r = 0; r < rows; ++r)
    for (Index slab = 0; slab < width; slab += kSlab) {
      float* to = out + slab * rows + r * kSlab;
      bad[r] |= !RowIsFinite(to, std::min(kSlab, width - slab));
    }
  for (Index r = 0; r < rows; ++r)
    for (Index slab = 0; bad[r] && slab < width; slab += kSlab)
      std::fill_n(out + slab * rows + r * kSlab, kSlab, 0.0f);
  return false;
}

/// Four elements of four rows, transposed.
HWY_INLINE void TransposeFour(const float* const (&rows)[4], Index column, float* out,
                              Witness<hn::Full128<float>>& witness) {
  const hn::Full128<float> d;
  const hn::Full128<double> pairs;
  const auto row0 = hn::LoadU(d, rows[0] + column), row1 = hn::LoadU(d, rows[1] + column);
  const auto row2 = hn::LoadU(d, rows[2] + column), row3 = hn::LoadU(d, rows[3] + column);
  witness.See(row0);
  witness.See(row1);
  witness.See(row2);
  witness.See(row3);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, row0, row1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, row2, row3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, row0, row1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, row2, row3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, out);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, out + kPanel);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, out + 2 * kPanel);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, out + 3 * kPanel);
}

/// Rows, transposed, in panels [panel][column][kPanel]; rows past the last are zero. `bad[r]` takes
/// the flag of rows that are not finite; returns whether there was none.
template <class RowAt>
bool PackPanels(const RowAt& row_at, Index rows, Index width, float* out, std::uint8_t* bad) {
  const hn::Full128<float> d;
  Witness<hn::Full128<float>> witness;
  for (Index r = 0; r < rounded_up(rows, kPanel); r += 4) {
    float* to = out + r / kPanel * kPanel * width + r % kPanel;
    const Index left = rows - r;
    if (left <= 0) {
      for (Index i = 0; i < width; ++i) hn::StoreU(hn::Zero(d), d, to + i * kPanel);
      continue;
    }
    // Fewer than four rows: the last stands in for those past it, which are then taken out.
    const float* const four[4] = {row_at(r), row_at(r + std::min<Index>(1, left - 1)),
                                  row_at(r + std::min<Index>(2, left - 1)),
                                  row_at(r + std::min<Index>(3, left - 1))};
    Index i = 0;
    for (; i + 4 <= width; i += 4) TransposeFour(four, i, to + i * kPanel, witness);
    for (; i < width; ++i) {
      for (Index j = 0; j < 4; ++j) to[i * kPanel + j] = four[j][i];
      witness.See(hn::LoadU(d, to + i * kPanel));
    }
    for (i = 0; left < 4 && i < width; ++i)
      std::fill(to + i * kPanel + left, to + i * kPanel + 4, 0.0f);
  }
  if (witness.AllFinite()) [[likely]]
    return true;
  for (Index r = 0; r < rows; ++r) {
    if (RowIsFinite(row_at(r), width)) continue;
    bad[r] = 1;
    for (Index i = 0; i < width; ++i) out[(r / kPanel * width + i) * kPanel + r % kPanel] = 0;
  }
  return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
