#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "regard/model/sequence_model.h"
#include "regard/model/transformer.h"

namespace regard {

/// A Transformer's decoder, and the layer that makes logits of its rows: by the decoder's own
/// table, unless spec.tied is "none". Its passes go "inside" the decoder.
struct DecoderWithOutput {
  Decoder decoder;
  OutputLayer output;

  /// `sizes` are those of the decoder.
  DecoderWithOutput(const ModelSpec& spec, const TransformerSpec& sizes, const Rng& rng);

  Var operator()(const TokenIds& input, const EncoderOutput& source, const Pass& pass) const;

  // As a search steps through it.

  /// The state before the first token; one sequence for each source.
  std::unique_ptr<IncrementalState> start(const EncoderOutput& source) const;
  /// Rows after one more token of each sequence: [B, D].   REQUIRES a state that start() made
  Tensor step(std::span<const std::int32_t> tokens, IncrementalState& state,
              const Pass& pass) const;

  /// With the embedding of an encoder, which may have the same table.
  void pack(TokenEmbedding* encoder = nullptr);
  void quantise(TokenEmbedding* encoder = nullptr);
};

}  // namespace regard
