// The products inside attention: one tile of C in registers. Compiled per instruction set.
#if defined(REGARD_BACKEND_CPU_ATTENTION_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_ATTENTION_TILE_INL_H_
#undef REGARD_BACKEND_CPU_ATTENTION_TILE_INL_H_
#else
#define REGARD_BACKEND_CPU_ATTENTION_TILE_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <limits>
#include <utility>

#include "regard/backend/cpu/attention_f32.h"
#include "regard/backend/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As many sums as the registers hold beside two vectors of B and an element of A.
constexpr Index kTileHeight = kWidth == 16 ? 14 : 6;

/// C = A B, or C += A B, or C = diag(factors) C + A B. Each element is one chain of fused
/// multiply-adds over the depth, in order.
struct TileOperands {
  const float*
      a;  ///< element (row, k) at a[row * pitch + k * a_step], the pitch known when compiling
  Index a_step;
  const float* b;  ///< element (k, column) at b[k * b_step + column]
  Index b_step;
  float* c;
  Index c_step;
  Index depth;
  bool fresh = false;              ///< C starts at 0
  bool bounded = false;            ///< C is held within the finite numbers at the end
  const float* factors = nullptr;  ///< one a row of C
};

/// v, with infinities become the largest numbers: a visible score is never mistaken for a hidden
/// one. Products that overflow both ways make NaN, which becomes the largest: of an operand that is
/// NaN, the instruction returns the second.
HWY_INLINE F32Vec Bounded(F32Vec v) {
  const F32Vec largest = hn::Set(F32(), std::numeric_limits<float>::max());
  return hn::Max(hn::Min(v, largest), hn::Neg(largest));
}

template <Index kRows, Index kVectors, Index kPitch>
HWY_NOINLINE void RunTile(const TileOperands& o) {
  const F32 d;
  F32Vec sums[kRows][kVectors];
#pragma GCC unroll 14
  for (Index r = 0; r < kRows; ++r)
#pragma GCC unroll 2
    for (Index v = 0; v < kVectors; ++v)
      sums[r][v] = o.fresh ? hn::Zero(d) : hn::LoadU(d, o.c + r * o.c_step + v * kWidth);
  if (o.factors) {
#pragma GCC unroll 14
    for (Index r = 0; r < kRows; ++r)
#pragma GCC unroll 2
      for (Index v = 0; v < kVectors; ++v)
        sums[r][v] = hn::Mul(sums[r][v], hn::Set(d, o.factors[r]));
  }
  const float* HWY_RESTRICT a = o.a;
  const float* HWY_RESTRICT b = o.b;
  const Index a_step = o.a_step, b_step = o.b_step;
#pragma GCC unroll 2
  for (Index k = o.depth; k > 0; --k) {
    F32Vec line[kVectors];
#pragma GCC unroll 2
    for (Index v = 0; v < kVectors; ++v) line[v] = hn::LoadU(d, b + v * kWidth);
#pragma GCC unroll 14
    for (Index r = 0; r < kRows; ++r) {
      const F32Vec element = hn::Set(d, a[r * kPitch]);
#pragma GCC unroll 2
      for (Index v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(element, line[v], sums[r][v]);
    }
    a += a_step;
    b += b_step;
  }
  if (o.bounded) {
#pragma GCC unroll 14
    for (Index r = 0; r < kRows; ++r)
#pragma GCC unroll 2
      for (Index v = 0; v < kVectors; ++v) sums[r][v] = Bounded(sums[r][v]);
  }
#pragma GCC unroll 14
  for (Index r = 0; r < kRows; ++r)
#pragma GCC unroll 2
    for (Index v = 0; v < kVectors; ++v) hn::StoreU(sums[r][v], d, o.c + r * o.c_step + v * kWidth);
}

using RunTileOf = void (*)(const TileOperands&);

template <Index kVectors, Index kPitch, std::size_t... kRows>
constexpr std::array<RunTileOf, sizeof...(kRows)> TilesOf(std::index_sequence<kRows...>) {
  return {&RunTile<static_cast<Index>(kRows) + 1, kVectors, kPitch>...};
}

/// A product of any number of rows, and of columns in steps of a vector. Rows are shared out
/// evenly: a low tile left over would wait for its multiply-adds.
template <Index kPitch>
void Multiply(TileOperands o, Index rows, Index columns) {
  static constexpr auto kOne = TilesOf<1, kPitch>(std::make_index_sequence<kTileHeight>());
  static constexpr auto kTwo = TilesOf<2, kPitch>(std::make_index_sequence<kTileHeight>());
  const Index tiles = (rows + kTileHeight - 1) / kTileHeight;
  const TileOperands whole = o;
  for (Index n = 0; n < columns; n += 2 * kWidth) {
    const auto& run = columns - n > kWidth ? kTwo : kOne;
    for (Index tile = 0; tile < tiles; ++tile) {
      const Index first = rows * tile / tiles, height = rows * (tile + 1) / tiles - first;
      o.a = whole.a + first * kPitch;
      o.b = whole.b + n;
      o.c = whole.c + first * whole.c_step + n;
      o.factors = whole.factors ? whole.factors + first : nullptr;
      run[static_cast<std::size_t>(height - 1)](o);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
