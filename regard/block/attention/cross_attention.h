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

  /// REQUIRES a layout without a position: only SelfAttention rotates by it.
  Var operator()(const Var& x, const Var& source, const Layout& layout, const Pass& pass) const;

  /// Keys and values of the source, made once, however many steps look at them.
  KeyValueCache remember(const Var& source, const Segments& segments) const;

  /// The same for queries that look at a source that is remembered. Without gradients.
  Var step(const Var& x, const KeyValueCache& source, const Segments& queries, const Mask& mask,
           const Pass& pass) const;

  void each(auto&& visit) {
    visit("query", query);
    visit("packed", packed);
    visit("attend", attend);
    visit("output", output);
  }
};

}  // namespace regard
