#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "regard/attention/mechanism.h"
#include "regard/embedding/token_embedding.h"
#include "regard/logits/output_layer.h"
#include "regard/model/model.h"
#include "regard/model/token_ids.h"

namespace regard {

/// What a model remembers of sources and of the tokens generated so far, of each sequence.
class IncrementalState {
 public:
  virtual ~IncrementalState() = default;
  virtual Index count() const = 0;  ///< sequences
  /// Sequence i becomes what sequence chosen[i] was; one may be chosen twice or never.
  virtual void reorder(std::span<const Index> chosen) = 0;
  /// The sequences of `more` come after these.   REQUIRES a state of the same model
  virtual void join(const IncrementalState& more) = 0;
};

/// A model that reads a source and says a target, token by token. A source is a list of whole
/// numbers: tokens with their end, or the levels of an image, patch after patch. Several threads
/// may read it at once, each with a state of its own. A search takes the memory of a step back
/// after it: what a state keeps must be `lasting()`.
class SequenceModel : public Model {
 public:
  /// What the output layer reads after each token of `decoder_input`, all at once as in training;
  /// row t knows the tokens up to t of its own sequence, and all of its source.   -> [N, D]
  virtual Var forward(const TokenIds& source, const TokenIds& decoder_input,
                      const Pass& pass) const = 0;

  /// The state before the first token; one sequence for each source.
  virtual std::unique_ptr<IncrementalState> start(const TokenIds& source,
                                                  const Pass& pass) const = 0;

  /// What the output layer reads after one more token of each sequence: [B, D]. Same numbers as all
  /// at once.
  virtual Tensor step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
                      const Pass& pass) const = 0;

  /// Numbers of a source that make one row of the encoder: a token, or the levels of a patch.
  virtual Index numbers_per_row() const { return 1; }
  Index source_rows(Index numbers) const { return numbers / numbers_per_row(); }

  /// The vectors of a source's tokens as they enter the encoder, before positions: [N, D]; empty if
  /// the model has none.
  virtual Tensor source_embedding(std::span<const std::int32_t>) const { return {}; }

  virtual const OutputLayer& output() const = 0;
};

/// Packs the output layer and lets the embeddings that share its table read it from there.
void pack_output(OutputLayer& output, std::initializer_list<TokenEmbedding*> embeddings);

/// Quantises the tables of all; those that were shared stay so.
void quantise_tables(OutputLayer& output, std::initializer_list<TokenEmbedding*> embeddings);

/// A fresh model. Throws Error(usage) naming the setting that does not fit, or if the architecture
/// generates no tokens.
std::unique_ptr<SequenceModel> make_sequence_model(const ModelSpec& spec, Rng rng,
                                                   Dtype dtype = Dtype::f32);

}  // namespace regard
