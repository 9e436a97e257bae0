#include "regard/backend/paged_attention.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "regard/backend/cpu/paged_attention_f32.h"

namespace regard::kernel {
namespace {

constexpr Index kGrain = 8;  // sequences that a thread takes at once

// An exponent of ones alone: infinite or not a number. Bits have no order of summation, so that a
// compiler may look at many at once.
bool finite(const f32* row, Index width) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  std::uint32_t bad = 0;
  for (Index i = 0; i < width; ++i)
    bad |= (std::bit_cast<std::uint32_t>(row[i]) & kExponent) == kExponent ? 1u : 0u;
  return bad == 0;
}
bool finite(const f64* row, Index width) {
  return std::all_of(row, row + width, [](f64 x) { return std::isfinite(x); });
}

/// One head's key or value of a row, zeros where it is not finite; says whether it was.
template <Index kStep, class T>
bool keep(const T* from, Index width, T* to) {
  const bool sound = finite(from, width);
  for (Index i = 0; i < width; ++i) to[i * kStep] = sound ? from[i] : 0;
  return sound;
}

template <class T>
bool keep_rows(Cpu& cpu, const Heads<const T>& k, const Heads<const T>& v, SegmentView rows,
               SegmentView keys, const PagedKeys<T>& pages) {
  const PageShape& shape = pages.shape;
  std::atomic<bool> sound{true};
  cpu.parallel_ranges(rows.count, kGrain, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b)
      for (Index t = 0; t < rows.length(b); ++t) {
        const Index row = rows.begin(b) + t, key = keys.length(b) - rows.length(b) + t;
        const Index column = key % kPageKeys;
        T* page = pages.page(b, key);
        std::uint8_t* flags = pages.flags_of(b, key) + column;
        for (Index h = 0; h < shape.heads; ++h) {
          const bool good_key =
              keep<kPageKeys>(k.at(row, h), shape.width, page + shape.keys_at(h) + column);
          T* value = page + shape.values_at(h) + column * shape.pitch();
          const bool good_value = keep<1>(v.at(row, h), shape.value_width, value);
          std::fill(value + shape.value_width, value + shape.pitch(), T{0});
          flags[h * kPageKeys] = static_cast<std::uint8_t>((good_key ? 0 : PageFlags::key) |
                                                           (good_value ? 0 : PageFlags::value));
          if (flags[h * kPageKeys] != 0) sound.store(false, std::memory_order_relaxed);
        }
      }
  });
  return sound;
}

template <class T>
void rows_from(const PagedKeys<T>& pages, SegmentView keys, T* key, T* value) {
  constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
  const PageShape& shape = pages.shape;
  for (Index b = 0; b < keys.count; ++b)
    for (Index s = 0; s < keys.length(b); ++s)
      for (Index h = 0; h < shape.heads; ++h) {
        const Index column = s % kPageKeys;
        const T* page = pages.page(b, s);
        const std::uint8_t flags = pages.flags_of(b, s)[h * kPageKeys + column];
        const T* from = page + shape.keys_at(h) + column;
        for (Index i = 0; i < shape.width; ++i)
          *key++ = flags & PageFlags::key ? kNaN : from[i * kPageKeys];
        from = page + shape.values_at(h) + column * shape.pitch();
        for (Index i = 0; i < shape.value_width; ++i)
          *value++ = flags & PageFlags::value ? kNaN : from[i];
      }
}

}  // namespace

bool KeepInPages::operator()(Cpu& cpu, Heads<const f32> k, Heads<const f32> v, SegmentView rows,
                             SegmentView keys, const PagedKeys<f32>& pages) const {
  return keep_rows(cpu, k, v, rows, keys, pages);
}
bool KeepInPages::operator()(Cpu& cpu, Heads<const f64> k, Heads<const f64> v, SegmentView rows,
                             SegmentView keys, const PagedKeys<f64>& pages) const {
  return keep_rows(cpu, k, v, rows, keys, pages);
}

void RowsFromPages::operator()(Cpu&, const PagedKeys<f32>& pages, SegmentView keys, f32* k,
                               f32* v) const {
  rows_from(pages, keys, k, v);
}
void RowsFromPages::operator()(Cpu&, const PagedKeys<f64>& pages, SegmentView keys, f64* k,
                               f64* v) const {
  rows_from(pages, keys, k, v);
}

void PagedAttention::operator()(Cpu& cpu, const AttentionProblem<f32>& problem,
                                const PagedKeys<f32>& pages, Heads<f32> y) const {
  const Index grain = std::max<Index>(1, kGrain / problem.k.heads);
  cpu.parallel_ranges(problem.queries.count, grain, [&](Index begin, Index end) {
    for (Index sequence = begin; sequence < end; ++sequence) {
      if (attend_one_query_f32(problem, pages, sequence, y)) continue;
      for (Index head = 0; head < problem.k.heads; ++head) {
        const AttentionGroup group{problem, sequence, head};
        for (Index first = 0; first < group.rows(); first += kChunk)
          attend_pages_f32({group, first, std::min(kChunk, group.rows() - first)}, pages, y);
      }
    }
  });
}

void PagedAttention::operator()(Cpu& cpu, const AttentionProblem<f64>& problem,
                                const PagedKeys<f64>& pages, Heads<f64> y) const {
  const Index keys = problem.keys.offsets[problem.keys.count], heads = problem.k.heads;
  const Index k = heads * problem.k.width, v = heads * problem.v.width;
  std::vector<f64> plain_keys(static_cast<std::size_t>(keys * k));
  std::vector<f64> plain_values(static_cast<std::size_t>(keys * v));
  rows_from_pages(cpu, pages, problem.keys, plain_keys.data(), plain_values.data());
  AttentionProblem<f64> rows = problem;
  rows.k = {plain_keys.data(), keys, heads, problem.k.width, k, problem.k.width};
  rows.v = {plain_values.data(), keys, heads, problem.v.width, v, problem.v.width};
  std::vector<f64> norms(static_cast<std::size_t>(2 * problem.q.rows * problem.q.heads));
  attention(cpu, rows, y, Rows<f64>{norms.data(), problem.q.rows * problem.q.heads, 2});
}

}  // namespace regard::kernel
