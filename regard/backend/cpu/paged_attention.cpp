#include "regard/backend/paged_attention.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <vector>

#include "regard/backend/cpu/paged_attention_f32.h"

namespace regard::kernel {
namespace {

constexpr Index kGrain = 8;  // heads of a sequence, or sequences, that a thread takes at once

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
template <class T>
bool keep(const T* from, Index width, T* to, Index step) {
  const bool sound = finite(from, width);
  for (Index i = 0; i < width; ++i) to[i * step] = sound ? from[i] : 0;
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
              keep(k.at(row, h), shape.width, page + shape.keys_at(h) + column, kPageKeys);
          T* value = page + shape.values_at(h) + column * shape.pitch();
          const bool good_value = keep(v.at(row, h), shape.value_width, value, 1);
          std::fill(value + shape.value_width, value + shape.pitch(), T{0});
          flags[h * kPageKeys] = static_cast<std::uint8_t>((good_key ? 0 : PageFlags::key) |
                                                           (good_value ? 0 : PageFlags::value));
          if (flags[h * kPageKeys] != 0) sound.store(false, std::memory_order_relaxed);
        }
      }
  });
  return sound;
}

/// The keys and values as rows again, [N, heads * width] and [N, heads * value_width]; what was not
/// finite is NaN.
struct PlainRows {
  std::vector<f64> keys, values;

  PlainRows(const AttentionProblem<f64>& problem, const PagedKeys<f64>& pages) {
    const PageShape& shape = pages.shape;
    for (Index b = 0; b < problem.keys.count; ++b)
      for (Index s = 0; s < problem.keys.length(b); ++s)
        for (Index h = 0; h < shape.heads; ++h) {
          const Index column = s % kPageKeys;
          const f64* page = pages.page(b, s);
          const std::uint8_t flags = pages.flags_of(b, s)[h * kPageKeys + column];
          for (Index i = 0; i < shape.width; ++i)
            keys.push_back(flags & PageFlags::key
                               ? std::nan("")
                               : page[shape.keys_at(h) + i * kPageKeys + column]);
          for (Index i = 0; i < shape.value_width; ++i)
            values.push_back(flags & PageFlags::value
                                 ? std::nan("")
                                 : page[shape.values_at(h) + column * shape.pitch() + i]);
        }
  }
};

}  // namespace

bool KeepInPages::operator()(Cpu& cpu, Heads<const f32> k, Heads<const f32> v, SegmentView rows,
                             SegmentView keys, const PagedKeys<f32>& pages) const {
  return keep_rows(cpu, k, v, rows, keys, pages);
}
bool KeepInPages::operator()(Cpu& cpu, Heads<const f64> k, Heads<const f64> v, SegmentView rows,
                             SegmentView keys, const PagedKeys<f64>& pages) const {
  return keep_rows(cpu, k, v, rows, keys, pages);
}

void PagedAttention::operator()(Cpu& cpu, const AttentionProblem<f32>& problem,
                                const PagedKeys<f32>& pages, Heads<f32> y) const {
  const Index groups = problem.queries.count * problem.k.heads;
  cpu.parallel_ranges(groups, kGrain, [&](Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const AttentionGroup group{problem, number / problem.k.heads, number % problem.k.heads};
      for (Index first = 0; first < group.rows(); first += kChunk)
        attend_pages_f32({group, first, std::min(kChunk, group.rows() - first)}, pages, y);
    }
  });
}

void PagedAttention::operator()(Cpu& cpu, const AttentionProblem<f64>& problem,
                                const PagedKeys<f64>& pages, Heads<f64> y) const {
  const PlainRows plain(problem, pages);
  AttentionProblem<f64> rows = problem;
  const Index keys = problem.keys.offsets[problem.keys.count], k = problem.k.width,
              v = problem.v.width, heads = problem.k.heads;
  rows.k = {plain.keys.data(), keys, heads, k, heads * k, k};
  rows.v = {plain.values.data(), keys, heads, v, heads * v, v};
  std::vector<f64> norms(static_cast<std::size_t>(2 * problem.q.rows * problem.q.heads));
  attention(cpu, rows, y, Rows<f64>{norms.data(), problem.q.rows * problem.q.heads, 2});
}

}  // namespace regard::kernel
