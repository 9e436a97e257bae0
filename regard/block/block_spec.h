#pragma once

#include <string_view>

#include "regard/block/add_norm.h"
#include "regard/block/attention/multi_head.h"
#include "regard/block/feed_forward.h"

namespace regard {

/// What a Transformer block is made of; encoder and decoder blocks read the same.
struct BlockSpec {
  Index width = 0, heads = 1, hidden = 0;  ///< D, H, F
  Index kv_heads = 0;                      ///< G; 0: H
  std::string_view mechanism = "scaled-dot";
  Index cross_heads = 0;               ///< of attention to the source; 0: heads
  std::string_view cross_mechanism{};  ///< of attention to the source; empty: mechanism
  Activation activation = Activation::relu;
  bool pre_norm = false;
  bool cross = true;             ///< of a decoder: it has a source to look at
  bool bias = true;              ///< of the attention's projections
  double dropout = 0;            ///< of every sub-layer's output
  double attention_dropout = 0;  ///< of the weights
  double ffn_dropout = 0;        ///< inside the feed-forward network
  double epsilon = 1e-5;
  Dtype dtype = Dtype::f32;
  Rng rng{0};

  MultiHeadSpec attention(std::string_view name) const {
    return {.width = width,
            .heads = heads,
            .kv_heads = kv_heads,
            .bias = bias,
            .mechanism = mechanism,
            .dropout = attention_dropout,
            .dtype = dtype,
            .rng = rng.fork(name)};
  }
  MultiHeadSpec cross_attention() const {
    MultiHeadSpec spec = attention("cross");
    if (cross_heads > 0) spec.heads = cross_heads;
    if (!cross_mechanism.empty()) spec.mechanism = cross_mechanism;
    return spec;
  }
  FeedForwardSpec feed_forward() const {
    return {.width = width,
            .hidden = hidden,
            .activation = activation,
            .dropout = ffn_dropout,
            .dtype = dtype,
            .rng = rng.fork("feed")};
  }
  AddNorm::Spec add_norm() const {
    return {.trailing = {width},
            .pre = pre_norm,
            .dropout = dropout,
            .epsilon = epsilon,
            .dtype = dtype};
  }
};

}  // namespace regard
