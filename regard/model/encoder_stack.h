#pragma once

#include <optional>
#include <vector>

#include "regard/block/encoder_block.h"
#include "regard/model/transformer_spec.h"
#include "regard/ops/mask.h"
#include "regard/ops/segments.h"
#include "regard/position/position.h"

namespace regard {

/// Rows that an embedding has made of a batch: of tokens, of patches of an image, of pieces of a
/// series.
struct EmbeddedRows {
  Var rows;  ///< [N, D]
  Segments segments;
  Mask keys = Mask::full();            ///< those that are no padding
  const Position* position = nullptr;  ///< of a scheme that acts on queries, keys or scores too
};

/// The blocks of an encoder; a norm at the end where they have theirs in front.   [N, D] -> [N, D]
struct EncoderStack {
  std::vector<EncoderBlock> blocks;
  std::optional<LayerNorm> last;  ///< when pre-norm
  Mask window;                    ///< what each row sees

  EncoderStack(const TransformerSpec& spec, Rng rng);

  Var operator()(const EmbeddedRows& embedded, const Pass& pass) const;

  void each(auto&& visit) {
    visit("blocks", blocks);
    visit("last", last);
  }
};

}  // namespace regard
