#pragma once

#include <string_view>

#include "regard/block/attention/head_attention.h"
#include "regard/block/layout.h"
#include "regard/block/linear.h"

namespace regard {

struct MultiHeadSpec {
  Index width = 0;  ///< D, of the output and of all heads together; H divides it
  Index heads = 1;
  Index kv_heads = 0;  ///< G, each shared by H / G query heads; 0: H
  Index query_width = 0, key_width = 0, value_width = 0;  ///< of what comes in; 0: D
  bool bias = false;
  std::string_view mechanism = "scaled-dot";
  double dropout = 0;  ///< of the weights, when training
  Dtype dtype = Dtype::f32;
  Rng rng{0};

  Index head_width() const;  ///< d; throws Error unless H divides D
  Index groups() const;      ///< G; throws Error unless it divides H

  /// The layer's projection of that name; widths of 0 stand for D.
  LinearSpec projection(std::string_view name, Index in = 0, Index out = 0) const;
  /// Several of them side by side, each starting as if it were alone.
  LinearSpec packed(Index in, Index heads_out) const;
  HeadAttentionSpec head_attention() const;
};

/// Multi-head attention as the textbook has it: h projections of queries, keys and values, each set
/// one big product whose columns are the heads; each head attends by itself; their results side by
/// side go through one more product.
///   concat_h(attention(q Wq_h, k Wk_h, v Wv_h)) Wo
/// queries [..., Dq]   keys [..., Dk]   values [..., Dv] -> [..., D], shaped like the queries
struct MultiHead {
  Linear query, key, value, output;
  HeadAttention attend;
  Index heads, kv_heads;

  explicit MultiHead(const MultiHeadSpec& spec);

  struct Inputs {
    Var queries, keys, values;
  };
  /// REQUIRES a layout without a position: only SelfAttention rotates by it.
  Var operator()(const Inputs& in, const Layout& layout, const Pass& pass) const;

  void each(auto&& visit) {
    visit("query", query);
    visit("key", key);
    visit("value", value);
    visit("attend", attend);
    visit("output", output);
  }
};

}  // namespace regard
