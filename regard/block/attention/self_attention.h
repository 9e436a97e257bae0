#pragma once

#include "regard/block/attention/multi_head.h"

namespace regard {

/// Multi-head attention of sequences to themselves, with one packed product for queries, keys and
/// values.   [..., D] -> [..., D]
struct SelfAttention {
  Linear packed;  ///< [D, (H + 2 G) d]: queries, keys, values
  HeadAttention attend;
  Linear output;
  Index heads, kv_heads;

  /// The spec's input widths stay 0.
  explicit SelfAttention(const MultiHeadSpec& spec);

  /// All at once. The layout's position rotates queries and keys and adds its mask.
  Var operator()(const Var& x, const Layout& layout, const Pass& pass) const;

  /// The next rows of each sequence, after those whose keys and values are in `past`; theirs are
  /// put there too. Same numbers as all at once.
  Var step(const Var& x, KeyValueCache& past, const NextRows& next, const Pass& pass) const;

  /// The cache of that many sequences before their first row.
  KeyValueCache no_past(Index sequences) const;

  Index head_width() const { return packed.weight.size(1) / (heads + 2 * kv_heads); }  ///< d

  void each(auto&& visit) {
    visit("packed", packed);
    visit("attend", attend);
    visit("output", output);
  }

 private:
  Var project(const Var& x, const Layout& layout) const;
  Mask mask_of(const Layout& layout) const;
};

}  // namespace regard
