#pragma once

#include <vector>

#include "regard/embedding/image_embedding.h"
#include "regard/model/encoder_stack.h"
#include "regard/model/token_ids.h"
#include "regard/model/transformer.h"

namespace regard {

/// An encoder whose rows are the patches of an image. A source is the levels of an image or of its
/// first patches, patch after patch.   levels -> [N, D], a row a patch
struct ImageEncoder {
  ImageEmbedding embed;
  EncoderStack stack;
  double dropout;

  /// `in_front`: rows that will stand before the patches; see ImageEmbeddingSpec.
  ImageEncoder(const ModelSpec& spec, Dtype dtype, Rng rng, Index in_front = 0);

  /// Levels that make a row.
  Index numbers_per_row() const { return embed.values(); }

  /// Patches that so many levels make. Throws Error(usage) if they are no whole patches, or more
  /// than an image has.
  Index rows(Index levels) const;

  EmbeddedRows embedded(const TokenIds& levels, const Pass& pass) const;
  EncoderOutput source(const TokenIds& levels, const Pass& pass) const;

  void each(auto&& visit) {
    visit("embed", embed);
    stack.each(visit);
  }

 private:
  std::vector<Index> rows_of(const std::vector<Index>& levels) const;
};

}  // namespace regard
