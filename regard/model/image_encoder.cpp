#include "regard/model/image_encoder.h"

#include <utility>

#include "regard/base/check.h"

namespace regard {

ImageEncoder::ImageEncoder(const ModelSpec& spec, Dtype dtype, Rng rng, Index in_front)
    : embed({.side = spec.image_size,
             .patch = spec.image_patch,
             .width = spec.width,
             .in_front = in_front,
             .dtype = dtype,
             .rng = rng.fork("embed")}),
      stack(encoder_spec(spec, dtype), rng),
      dropout(spec.dropout) {}

Index ImageEncoder::rows(Index levels) const {
  const Index count = levels / embed.values();
  check(levels % embed.values() == 0 && count <= embed.patches(), "got ", levels,
        " levels; expected whole patches of ", embed.values(), ", at most ", embed.patches());
  return count;
}

std::vector<Index> ImageEncoder::rows_of(const std::vector<Index>& levels) const {
  std::vector<Index> counts;
  for (const Index each : levels) counts.push_back(rows(each));
  return counts;
}

EmbeddedRows ImageEncoder::embedded(const TokenIds& levels, const Pass& pass) const {
  std::vector<Index> lengths, places;
  for (Index b = 0; b < levels.segments.count(); ++b) {
    lengths.push_back(rows(levels.segments.length(b)));
    for (Index i = 0; i < lengths.back(); ++i) places.push_back(i);
  }
  return {.rows = embed(levels.ids, places, {pass.training ? dropout : 0, pass.rng.fork("embed")}),
          .segments = Segments::of_lengths(lengths),
          .keys = valid_keys(rows_of(levels.lens)),
          .position = embed.position.get()};
}

EncoderOutput ImageEncoder::source(const TokenIds& levels, const Pass& pass) const {
  const EmbeddedRows patches = embedded(levels, pass);
  return {stack(patches, pass), patches.segments, rows_of(levels.lens)};
}

}  // namespace regard
