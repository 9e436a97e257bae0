#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/block/block_spec.h"
#include "regard/block/rows.h"
#include "regard/model/spec.h"

namespace regard {

/// The size and the make of an encoder or a decoder. The defaults are the base model of Vaswani et
/// al. 2017.
struct TransformerSpec {
  Index vocabulary = 0;                                     ///< V
  Index width = 512, heads = 8, hidden = 2048, layers = 6;  ///< D, H, F; all 1 or more
  Index kv_heads = 0;                                       ///< G; 0: H
  std::string position = "sinusoidal";
  std::string mechanism = "scaled-dot";
  Activation activation = Activation::relu;
  bool pre_norm = false;
  bool cross = true;              ///< of a decoder: it has a source to look at
  Index cross_heads = 0;          ///< of attention to the source; 0: heads
  std::string cross_mechanism{};  ///< of attention to the source; empty: mechanism
  Index window = 0;  ///< rows that self-attention sees to each side, or before in a decoder; 0: all
  double dropout = 0.1;            ///< of embeddings and of every sub-layer's output
  double attention_dropout = 0.1;  ///< of the weights
  double ffn_dropout = 0;          ///< inside the feed-forward networks
  double epsilon = 1e-5;
  Index max_length = 512;    ///< positions of a learned table
  Index first_position = 0;  ///< what the first token's position is called; Marian's models say 1
  Dtype dtype = Dtype::f32;
};

/// The encoder and the decoder of a model.
TransformerSpec encoder_spec(const ModelSpec& spec, Dtype dtype);
TransformerSpec decoder_spec(const ModelSpec& spec, Dtype dtype);

/// What its blocks are made of.
BlockSpec block_spec(const TransformerSpec& spec, Rng rng);

template <class Block>
std::vector<Block> blocks_of(const TransformerSpec& spec, Rng rng) {
  check(spec.layers >= 1, "a stack of ", spec.layers, " layers; expected 1 or more");
  std::vector<Block> blocks;
  for (Index i = 0; i < spec.layers; ++i)
    blocks.emplace_back(block_spec(spec, rng.fork("blocks").fork(static_cast<std::uint64_t>(i))));
  return blocks;
}

/// The norm after the last block, where the blocks have theirs in front.
std::optional<LayerNorm> last_norm(const TransformerSpec& spec);

}  // namespace regard
