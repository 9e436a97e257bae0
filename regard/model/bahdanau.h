#pragma once

#include <memory>
#include <vector>

#include "regard/block/gru.h"
#include "regard/block/time_order.h"
#include "regard/embedding/token_embedding.h"
#include "regard/model/sequence_model.h"
#include "regard/model/step_captures.h"

namespace regard {

/// Sources as an encoder leaves them.
struct EncodedSource {
  Var rows, keys;  ///< [N, F], [N, .]: sequence after sequence
  Segments segments;
  std::vector<Var> states;  ///< one a layer: [B, F]
};

/// Source rows as attention reads them at every step.
struct SourceMemory {
  Var keys, values;         ///< [B, 1, S, .], keys prepared, zeros after a shorter source
  std::vector<Index> lens;  ///< of each source

  /// The first sequences alone.
  SourceMemory front(Index count) const;
};

/// Gated recurrent units that look at the source before each token.
struct RecurrentDecoder {
  TokenEmbedding embed;
  Gru cells;       ///< the first layer's input is the token's part of [context; token]
  Linear context;  ///< [F, 3 F]: the context's part
  std::unique_ptr<Attention> attention;
  Linear readout;  ///< [2 F + D, D], of [state; context; token]
  double dropout, attention_dropout;
  bool additive;  ///< the attention is

  RecurrentDecoder(const ModelSpec& spec, Rng rng, Dtype dtype);

  /// One more token of each sequence: its gates of the first layer [B, 3 F], and the states [B, F],
  /// one a layer, which move on.   -> the context that was read, [B, F]
  Var advance(const Var& token_gates, const SourceMemory& memory, std::vector<Var>& states,
              const Pass& pass) const;

  /// All tokens of sequences in that order, given their gates [N, 3 F], as one operation.
  ///   -> the last layer's state after each token and the context it read, [N, 2 F]
  /// REQUIRES additive attention, and weights that are not packed
  Var run(const Var& token_gates, const EncodedSource& from, const TimeOrder& order,
          const Pass& pass) const;
  /// The same by `advance`.
  Var run_step_by_step(const Var& token_gates, const EncodedSource& from, const TimeOrder& order,
                       StepCaptures& captures) const;

  /// tanh(W [state; context; token] + b) of rows from any steps: [N, D].
  Var read_out(const Var& state_context, const Var& token, const Pass& pass) const;

  void each(auto&& visit) {
    visit("embed", embed);
    visit("cells", cells);
    visit("context", context);
    visit("attention", attention);
    visit("readout", readout);
  }
};

/// A recurrent encoder and decoder joined by attention (Bahdanau et al. 2015, arXiv:1409.0473):
///   c_t = attention(query s_(t-1), keys = values = encoder outputs)
///   s_t = GRU([c_t; token_t], s_(t-1)),   s_0 = the encoder's last state, layer by layer
/// Source and target are read in one direction, with one head: heads, positions, norms and
/// activations of the spec do not apply.
class BahdanauModel final : public SequenceModel {
 public:
  BahdanauModel(const ModelSpec& spec, Rng rng, Dtype dtype);

  Var forward(const TokenIds& source, const TokenIds& decoder_input,
              const Pass& pass) const override;
  std::unique_ptr<IncrementalState> start(const TokenIds& source, const Pass& pass) const override;
  Tensor step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
              const Pass& pass) const override;
  Tensor source_embedding(std::span<const std::int32_t> ids) const override {
    return encoder_.embed.without_positions(ids).value();
  }
  const OutputLayer& output() const override { return output_; }
  void each(const Visit& visit) override;
  void pack() override;
  void quantise() override;

 private:
  struct Encoder {
    TokenEmbedding embed;
    Gru cells;

    void each(auto&& visit) {
      visit("embed", embed);
      visit("cells", cells);
    }
  };

  EncodedSource encoded(const TokenIds& source, const Pass& pass) const;

  Encoder encoder_;
  RecurrentDecoder decoder_;
  OutputLayer output_;
  double dropout_;
};

}  // namespace regard
