#pragma once

#include "regard/block/attention/multi_head.h"

namespace regard {

/// Multi-head attention of one set of sequences to another, as a decoder looks at its source: a
/// product for the queries, one packed product for keys and values.
///   x [..., D]   source [..., Dk] -> [..., D]
struct CrossAttention {
  Linear query;   ///< [D, H d]
  Linear packed;  ///< [Dk, 2 G d]: keys, values
  HeadAttention attend;
  Linear output;
  Index heads, kv_heads;

  /// The spec's value_width is its key_width: both are read from the source.
  explicit CrossAttention(const MultiHeadSpec& spec);

  /// Keys and values of the source, side by side; made once, however many steps look at them.
  Var keys_values(const Var& source) const;  // [M, 2 G d]

  /// REQUIRES a layout without a position: only SelfAttention turns by it.
  Var operator()(const Var& x, const Var& keys_values, const Layout& layout,
                 const Pass& pass) const;

  void each(auto&& visit) {
    visit("query", query);
    visit("packed", packed);
    visit("attend", attend);
    visit("output", output);
  }
};

}  // namespace regard
