#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "regard/block/decoder_block.h"
#include "regard/embedding/token_embedding.h"
#include "regard/model/encoder_stack.h"
#include "regard/model/token_ids.h"

namespace regard {

/// What an encoder made of a batch, as a decoder looks at it.
struct EncoderOutput {
  Var rows;  ///< [N, D] or [B, T, D]
  Segments segments;
  std::vector<Index> lens{};

  Mask mask() const { return valid_keys(lens); }
};

/// Embedding, positions, blocks.   ids -> [N, D], or [B, T, D] where padded
struct Encoder {
  TokenEmbedding embed;
  EncoderStack stack;
  double dropout;
  Index first_position;

  Encoder(const TransformerSpec& spec, Rng rng);

  /// A row is a token.
  static Index numbers_per_row() { return 1; }

  /// The tokens as they enter the blocks.
  EmbeddedRows embedded(const TokenIds& tokens, const Pass& pass) const;

  Var operator()(const TokenIds& tokens, const Pass& pass) const;
  EncoderOutput source(const TokenIds& tokens, const Pass& pass) const;

  void each(auto&& visit) {
    visit("embed", embed);
    stack.each(visit);
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

/// The same with masked self-attention and, as a rule, a source to look at. Row t sees rows 0 .. t
/// of its own sequence, and all valid rows of its source.
struct Decoder {
  TokenEmbedding embed;
  std::vector<DecoderBlock> blocks;
  std::optional<LayerNorm> last;  ///< when pre-norm
  double dropout;
  Index first_position;
  Mask window;  ///< what each token sees: none that follows it

  Decoder(const TransformerSpec& spec, Rng rng);

  /// All at once, as in training.   A source that is not looked at may have no rows.
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
