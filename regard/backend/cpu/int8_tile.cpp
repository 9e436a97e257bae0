#include "regard/backend/cpu/int8_tile.h"

#ifndef __clang__  // GCC 12 warns of its own header's _mm512_undefined (GCC bug 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

namespace regard {
namespace {

constexpr Index kPanelStep = kInt8Cols * kInt8Depth;  // bytes from one four of k to the next

const __m256i* vector_at(const void* p) {
  return static_cast<const __m256i*>(p);
}

/// VPMADDUBSW adds pairs of products of an unsigned and a signed byte in 16 bits. |q| |w| is at
/// most 127 * 127, and two of them 32,258: nothing saturates. The sign of q goes to w by VPSIGNB.
template <Index kRows>
void run_avx2_panel(const Int8Tile& t, Index first, Index panel) {
  const __m256i ones = _mm256_set1_epi16(1), shift = _mm256_set1_epi8(-128);
  const std::int8_t* b = t.b.data + panel * kInt8Cols * t.b.depth();
  __m256i sums[kRows][4];
  for (auto& row : sums)
    for (__m256i& sum : row) sum = _mm256_setzero_si256();
  for (Index k = 0; k < t.b.depth(); k += kInt8Depth, b += kPanelStep) {
    __m256i w[4];
#pragma GCC unroll 4
    for (Index i = 0; i < 4; ++i) w[i] = _mm256_loadu_si256(vector_at(b + 32 * i));
#pragma GCC unroll 2
    for (Index r = 0; r < kRows; ++r) {
      const std::uint8_t* four = t.rows.q + (first + r) * t.rows.stride + k;
      const __m256i q = _mm256_xor_si256(_mm256_broadcastd_epi32(_mm_loadu_si32(four)), shift);
      const __m256i size = _mm256_abs_epi8(q);
#pragma GCC unroll 4
      for (Index i = 0; i < 4; ++i) {
        const __m256i pairs = _mm256_maddubs_epi16(size, _mm256_sign_epi8(w[i], q));
        sums[r][i] = _mm256_add_epi32(sums[r][i], _mm256_madd_epi16(pairs, ones));
      }
    }
  }
  for (Index r = 0; r < kRows; ++r) {
    const __m256 row_scale = _mm256_set1_ps(t.rows.scales[first + r]);
    for (Index i = 0; i < 4; ++i) {
      const Index n = panel * kInt8Cols + 8 * i;
      const __m256 scale = _mm256_mul_ps(row_scale, _mm256_loadu_ps(t.b.scales + n));
      const __m256 bias = t.bias ? _mm256_loadu_ps(t.bias + n) : _mm256_setzero_ps();
      __m256 y = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums[r][i]), scale, bias);
      if (t.relu) y = _mm256_max_ps(_mm256_setzero_ps(), y);  // in this order NaN stays
      _mm256_storeu_ps(t.c + (first + r) * t.c_stride + n, y);
    }
  }
}

void run_avx2(const Int8Tile& t) {
  for (Index panel = 0; panel < t.panels; ++panel) {
    Index r = 0;
    for (; r + 2 <= t.count; r += 2) run_avx2_panel<2>(t, r, panel);
    if (r < t.count) run_avx2_panel<1>(t, r, panel);
  }
}

/// VPDPBUSD takes unsigned activations, so that each sum holds 128 column sums too much.
template <Index kRows, Index kPanels>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512vnni")]] void run_vnni_rows(const Int8Tile& t) {
  constexpr Index kVectors = 2 * kPanels;
  const Index depth = t.b.depth(), stride = t.rows.stride;
  __m512i sums[kRows][kVectors];
#pragma GCC unroll 14
  for (Index r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (Index i = 0; i < kVectors; ++i) sums[r][i] = _mm512_setzero_si512();
  const std::int8_t* b = t.b.data;
  const std::uint8_t* rows = t.rows.q;
  const std::int8_t* soon = t.soon;
  for (Index k = 0; k < depth; k += kInt8Depth, b += kPanelStep, rows += kInt8Depth) {
    for (Index i = 0; i < t.soon_lines; ++i, soon += kCacheLine) __builtin_prefetch(soon, 0, 2);
    __m512i w[kVectors];
#pragma GCC unroll 8
    for (Index i = 0; i < kVectors; ++i)
      w[i] = _mm512_loadu_si512(b + i / 2 * kInt8Cols * depth + i % 2 * 64);
#pragma GCC unroll 14
    for (Index r = 0; r < kRows; ++r) {
      const __m512i q = _mm512_broadcastd_epi32(_mm_loadu_si32(rows + r * stride));
#pragma GCC unroll 8
      for (Index i = 0; i < kVectors; ++i) sums[r][i] = _mm512_dpbusd_epi32(sums[r][i], q, w[i]);
    }
  }
  // By way of memory: read by a loop, the sums would not stay in registers above.
  alignas(64) std::int32_t made[kRows][16 * kVectors];
#pragma GCC unroll 14
  for (Index r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (Index i = 0; i < kVectors; ++i) _mm512_store_si512(made[r] + 16 * i, sums[r][i]);
  for (Index n = 0; n < 16 * kVectors; n += 16) {
    const __m512i shift = _mm512_loadu_si512(t.b.shifts + n);
    const __m512 column_scale = _mm512_loadu_ps(t.b.scales + n);
    const __m512 bias = t.bias ? _mm512_loadu_ps(t.bias + n) : _mm512_setzero_ps();
    for (Index r = 0; r < kRows; ++r) {
      const __m512 scale = _mm512_mul_ps(_mm512_set1_ps(t.rows.scales[r]), column_scale);
      const __m512i sum = _mm512_sub_epi32(_mm512_load_si512(made[r] + n), shift);
      __m512 y = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), scale, bias);
      if (t.relu) y = _mm512_max_ps(_mm512_setzero_ps(), y);
      _mm512_storeu_ps(t.c + r * t.c_stride + n, y);
    }
  }
}

template <Index kRows = kInt8TileRows>
void run_vnni(const Int8Tile& t) {
  if constexpr (kRows <= kInt8Few)
    if (t.count == kRows && t.panels == kInt8Wide) return run_vnni_rows<kRows, kInt8Wide>(t);
  if (t.count == kRows) return run_vnni_rows<kRows, 1>(t);
  if constexpr (kRows > 1) run_vnni<kRows - 1>(t);
}

}  // namespace

RunInt8Tile int8_tile(const Cpu& cpu) {
  const bool vnni = cpu.isa() == "avx512" && __builtin_cpu_supports("avx512vnni");
  return vnni ? RunInt8Tile(run_vnni<>) : run_avx2;
}

}  // namespace regard
