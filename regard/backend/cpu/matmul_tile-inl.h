// The innermost part of the f32 product: one tile of C in registers. Compiled per instruction set.
#if defined(REGARD_BACKEND_CPU_MATMUL_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_MATMUL_TILE_INL_H_
#undef REGARD_BACKEND_CPU_MATMUL_TILE_INL_H_
#else
#define REGARD_BACKEND_CPU_MATMUL_TILE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "regard/backend/cpu/math-inl.h"
#include "regard/backend/cpu/matmul_f32.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using TileTag = hn::ScalableTag<float>;
constexpr Index kVector = static_cast<Index>(hn::MaxLanes(TileTag()));
// 2 x 14 sums of the 32 registers of AVX-512, 2 x 6 of the 16 of AVX2: the rest hold two vectors of
// B and one element of A. There are then more sums than a multiply-add has cycles, and fewer loads
// than the ports take beside them.
constexpr Index kTileRows = kVector == 16 ? 14 : 6;
constexpr Index kTileCols = 2 * kVector;
static_assert(kPanelCols % kTileCols == 0);
constexpr Index kAhead = 16;  // rows of B in place are fetched this many k before they are used,
constexpr Index kNear = 8;    // and columns of A, which are in the level-2 cache already

/// Where a tile finds its panel of B.
enum class Source {
  packed,    ///< kTileCols apart
  in_place,  ///< b_step apart
  copied     ///< b_step apart, and left packed for the tiles below: copying hides behind computing
};

/// What one tile reads and writes.
struct Tile {
  const float* a;
  Index a_stride;  ///< of what is read in place: from one row of A to the next
  const float* b;
  Index b_step;
  float* c;
  Index c_stride;
  Index k;
  bool fresh;
  const float* bias;
  bool relu;
  float* copy;        ///< where to leave the panel packed for the tiles below, or none
  const float* soon;  ///< what the next tiles will read of B, fetched into the level-2 cache on the
                      ///< way,
  Index soon_count;   ///< so many rows as wide as a tile at every 8 of k,
  Index soon_step;    ///< this far apart
};

template <Index kRows, Lines kLines, Source kSource>
HWY_INLINE void Step(const Tile& t, const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                     float* HWY_RESTRICT copy, hn::Vec<TileTag> (&sums)[kRows][2]) {
  const TileTag d;
  const auto left = hn::LoadU(d, b), right = hn::LoadU(d, b + kVector);
  if constexpr (kLines == Lines::columns) {
    __builtin_prefetch(a + kNear * t.a_stride);
    __builtin_prefetch(a + kNear * t.a_stride + kRows - 1);
  }
  if constexpr (kSource == Source::copied) {
    __builtin_prefetch(b + kAhead * t.b_step);
    __builtin_prefetch(b + kAhead * t.b_step + kTileCols - 1);
  }
  if constexpr (kSource == Source::copied) {
    hn::Store(left, d, copy);
    hn::Store(right, d, copy + kVector);
  }
#pragma GCC unroll 14
  for (Index r = 0; r < kRows; ++r) {
    const Index at = kLines == Lines::packed ? r * kRowPitch
                     : kLines == Lines::rows ? r * t.a_stride
                                             : r;
    const auto element = hn::Set(d, a[at]);
    sums[r][0] = hn::MulAdd(element, left, sums[r][0]);
    sums[r][1] = hn::MulAdd(element, right, sums[r][1]);
  }
}

template <Index kRows, Lines kLines, Source kSource>
void RunTile(const Tile& t) {
  const TileTag d;
  hn::Vec<TileTag> sums[kRows][2];
  float* c = t.c;
  float* const last = c + (kRows - 1) * t.c_stride;
#pragma GCC unroll 14
  for (Index r = 0; r < kRows; ++r) sums[r][0] = sums[r][1] = hn::Zero(d);
  if (!t.fresh) {
#pragma GCC unroll 14
    for (Index r = 0; r < kRows; ++r) {
      sums[r][0] = hn::LoadU(d, c);
      sums[r][1] = hn::LoadU(d, c + kVector);
      c += t.c_stride;
    }
    c = t.c;
  }
  // A step known when compiling leaves nothing but multiply-adds and loads in the loop.
  const Index k_step = kLines == Lines::columns  ? t.a_stride
                       : kLines == Lines::strips ? kTileRows
                                                 : 1;
  const Index b_step = kSource == Source::packed ? kTileCols : t.b_step;
  float* copy = t.copy;
  const float* a = t.a;
  const float* b = t.b;
  const float* soon = t.soon;
  Index k = t.k;
  for (; k >= 8; k -= 8) {
    for (Index i = 0; i < t.soon_count; ++i) {
      __builtin_prefetch(soon, 0, 2);
      __builtin_prefetch(soon + 16, 0, 2);
      soon += t.soon_step;
    }
    // C is fetched while the sums are made, a row at a time: all at once would hold up the loads.
    __builtin_prefetch(c, 1);
    __builtin_prefetch(c + kVector, 1);
    c = std::min(c + t.c_stride, last);
#pragma GCC unroll 8
    for (Index i = 0; i < 8; ++i)
      Step<kRows, kLines, kSource>(t, a + i * k_step, b + i * b_step, copy + i * kTileCols, sums);
    a += 8 * k_step;
    b += 8 * b_step;
    copy += 8 * kTileCols;
  }
  for (; k > 0; --k, a += k_step, b += b_step, copy += kTileCols)
    Step<kRows, kLines, kSource>(t, a, b, copy, sums);

  if (t.bias) {
    const auto left = hn::LoadU(d, t.bias), right = hn::LoadU(d, t.bias + kVector);
#pragma GCC unroll 14
    for (Index r = 0; r < kRows; ++r) {
      sums[r][0] = hn::Add(sums[r][0], left);
      sums[r][1] = hn::Add(sums[r][1], right);
    }
  }
  if (t.relu) {
#pragma GCC unroll 14
    for (Index r = 0; r < kRows; ++r) {
      sums[r][0] = Activate(d, Activation::relu, sums[r][0]);
      sums[r][1] = Activate(d, Activation::relu, sums[r][1]);
    }
  }
  c = t.c;
#pragma GCC unroll 14
  for (Index r = 0; r < kRows; ++r) {
    hn::StoreU(sums[r][0], d, c);
    hn::StoreU(sums[r][1], d, c + kVector);
    c += t.c_stride;
  }
}

template <Lines kLines, Source kSource, Index kRows = kTileRows>
HWY_INLINE void RunTileOf(Index rows, const Tile& t) {
  if (rows == kRows) return RunTile<kRows, kLines, kSource>(t);
  if constexpr (kRows > 1) RunTileOf<kLines, kSource, kRows - 1>(rows, t);
}

template <Lines kLines>
HWY_INLINE void RunTileFrom(Index rows, const Tile& t) {
  using enum Source;
  if (t.copy)  // only the first of several tiles copies, and that one is whole
    return RunTile<kTileRows, kLines, copied>(t);
  if (t.b_step == kTileCols) return RunTileOf<kLines, packed>(rows, t);
  return RunTileOf<kLines, in_place>(rows, t);
}

/// The tile with as many rows as there are.
HWY_INLINE void RunTileOf(Index rows, Lines lines, const Tile& t) {
  switch (lines) {
    case Lines::packed:
      return RunTileFrom<Lines::packed>(rows, t);
    case Lines::rows:
      return RunTileFrom<Lines::rows>(rows, t);
    case Lines::strips:
      return RunTileFrom<Lines::strips>(rows, t);
    case Lines::columns:
      return RunTileFrom<Lines::columns>(rows, t);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
