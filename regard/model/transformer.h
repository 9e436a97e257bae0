#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "regard/block/decoder_block.h"
#include "regard/block/encoder_block.h"
#include "regard/embedding/token_embedding.h"
#include "regard/model/token_ids.h"

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
  double dropout = 0.1;            ///< of embeddings and of every sub-layer's output
  double attention_dropout = 0.1;  ///< of the weights
  double ffn_dropout = 0;          ///< inside the feed-forward networks
  double epsilon = 1e-5;
  Index max_length = 512;    ///< positions of a learned table
  Index first_position = 0;  ///< what the first token's position is called; Marian's models say 1
  Dtype dtype = Dtype::f32;
};

/// What an encoder made of a batch, as a decoder looks at it.
struct EncoderOutput {
  Var rows;  ///< [N, D] or [B, T, D]
  Segments segments;
  std::vector<Index> lens{};

  Mask mask() const { return valid_keys(lens); }
};

/// Embedding, positions, blocks; a norm at the end where the blocks have theirs in front.
///   ids -> [N, D], or [B, T, D] where padded
struct Encoder {
  TokenEmbedding embed;
  std::vector<EncoderBlock> blocks;
  std::optional<LayerNorm> last;  ///< when pre-norm
  double dropout;
  Index first_position;

  Encoder(const TransformerSpec& spec, Rng rng);

  Var operator()(const TokenIds& tokens, const Pass& pass) const;
  EncoderOutput source(const TokenIds& tokens, const Pass& pass) const;

  void each(auto&& visit) {
    visit("embed", embed);
    visit("blocks", blocks);
    visit("last", last);
  }
};

/// What a decoder remembers of the tokens so far and of the source; beam search reorders it.
struct DecoderState {
  std::vector<DecoderBlock::State> blocks;
  std::vector<Index> source_lens;
  Segments past;  ///< tokens decoded so far, of each sequence

  /// Sequence i becomes what sequence chosen[i] was.
  void reorder(std::span<const Index> chosen);
  /// The sequences of `more` come after these.   REQUIRES a state of the same decoder
  void join(const DecoderState& more);
};

/// The same with masked self-attention and a source to look at. Row t sees rows 0 .. t of its own
/// sequence, and all valid rows of its source.
struct Decoder {
  TokenEmbedding embed;
  std::vector<DecoderBlock> blocks;
  std::optional<LayerNorm> last;  ///< when pre-norm
  double dropout;
  Index first_position;

  Decoder(const TransformerSpec& spec, Rng rng);

  /// All at once, as in training.
  Var operator()(const TokenIds& tokens, const EncoderOutput& source, const Pass& pass) const;

  /// The state before the first token; one sequence for each of the source.
  DecoderState start(const EncoderOutput& source) const;

  /// The next tokens of each sequence, one or more. Same numbers as all at once.   REQUIRES that no
  /// row is padding
  Var step(const TokenIds& tokens, DecoderState& state, const Pass& pass) const;

  void each(auto&& visit) {
    visit("embed", embed);
    visit("blocks", blocks);
    visit("last", last);
  }
};

}  // namespace regard
