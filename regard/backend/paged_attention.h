#pragma once

#include <cstdint>

#include "regard/backend/attention.h"

namespace regard {

/// Keys of a page.
inline constexpr Index kPageKeys = 16;

/// How the keys and values of every head lie in a page, head after head: the keys as attention
/// reads them, [width][kPageKeys], then the values, [kPageKeys][pitch].
struct PageShape {
  Index heads = 1, width = 0, value_width = 0;

  Index pitch() const { return (value_width + kPageKeys - 1) / kPageKeys * kPageKeys; }
  Index head_size() const { return kPageKeys * (width + pitch()); }
  Index keys_at(Index head) const { return head * head_size(); }
  Index values_at(Index head) const { return keys_at(head) + kPageKeys * width; }
  Index size() const { return heads * head_size(); }  ///< elements of a page

  friend bool operator==(const PageShape&, const PageShape&) = default;
};

/// What is not finite in a page: it lies there as zeros, and a flag says so.
struct PageFlags {
  enum : std::uint8_t { key = 1, value = 2 };
};

/// Sequences of keys and values in pages. Key s of sequence b is column s % kPageKeys of page
/// pages[first[b] + s / kPageKeys]; flags, where there are any, are [heads][kPageKeys] a page.
template <class T>
struct PagedKeys {
  PageShape shape;
  T* const* pages = nullptr;
  std::uint8_t* const* flags = nullptr;
  const Index* first = nullptr;
  bool finite = true;  ///< no flag is set anywhere

  T* page(Index sequence, Index key) const { return pages[first[sequence] + key / kPageKeys]; }
  std::uint8_t* flags_of(Index sequence, Index key) const {
    return flags[first[sequence] + key / kPageKeys];
  }
};

namespace kernel {

/// Writes rows of keys and values into pages: segment b of `rows` becomes the last keys of sequence
/// b, which has keys.length(b) of them in all. Returns whether all were finite.
struct KeepInPages {
  static constexpr auto name = "keep_in_pages";
  bool operator()(Cpu&, Heads<const f32> k, Heads<const f32> v, SegmentView rows, SegmentView keys,
                  const PagedKeys<f32>& pages) const;
  bool operator()(Cpu&, Heads<const f64> k, Heads<const f64> v, SegmentView rows, SegmentView keys,
                  const PagedKeys<f64>& pages) const;
};
inline constexpr KeepInPages keep_in_pages;

/// The keys and values as rows again, [N, heads * width] and [N, heads * value_width], sequence
/// after sequence; what was not finite is NaN.
struct RowsFromPages {
  static constexpr auto name = "rows_from_pages";
  void operator()(Cpu&, const PagedKeys<f32>& pages, SegmentView keys, f32* k, f32* v) const;
  void operator()(Cpu&, const PagedKeys<f64>& pages, SegmentView keys, f64* k, f64* v) const;
};
inline constexpr RowsFromPages rows_from_pages;

/// Attention whose keys and values lie in pages: the same bits as if they lay in rows. The k and v
/// of the problem have no data, only heads and widths.   REQUIRES no dropout
struct PagedAttention {
  static constexpr auto name = "paged_attention";
  void operator()(Cpu&, const AttentionProblem<f32>&, const PagedKeys<f32>&, Heads<f32> y) const;
  void operator()(Cpu&, const AttentionProblem<f64>&, const PagedKeys<f64>&, Heads<f64> y) const;
};
inline constexpr PagedAttention paged_attention;

}  // namespace kernel
}  // namespace regard
