#pragma once

#include <vector>

#include "regard/model/transformer.h"
#include "tests/support/law.h"

namespace regard::testing {

using Ids = std::vector<std::vector<std::int32_t>>;

/// Some sentences of a vocabulary of 11.
inline Ids some_sentences(Draw& draw, Index count, Index low, Index high) {
  Ids sentences(static_cast<std::size_t>(count));
  for (std::vector<std::int32_t>& sentence : sentences) {
    const Index length = draw.integer(low, high);
    for (Index t = 0; t < length; ++t)
      sentence.push_back(static_cast<std::int32_t>(draw.integer(0, 10)));
  }
  return sentences;
}

/// A small model of any make.
inline TransformerSpec some_spec(Draw& draw, Dtype dtype = Dtype::f32) {
  const Index heads = draw.integer(1, 3);
  const auto schemes = all_position_schemes();
  return {.vocabulary = 11,
          .width = heads * 4,
          .heads = heads,
          .hidden = draw.integer(3, 9),
          .layers = draw.integer(1, 2),
          .kv_heads = draw.coin() ? 1 : 0,
          .position =
              std::string(schemes[static_cast<std::size_t>(draw.number()) % schemes.size()]->name),
          .activation = Activation::gelu,
          .pre_norm = draw.coin(),
          .max_length = 32,
          .first_position = draw.integer(0, 1),
          .dtype = dtype};
}

/// The sentences in a box, row after row, with id `filler` where they are over.
inline TokenIds boxed(const Ids& sentences, Index length, std::int32_t filler) {
  std::vector<std::int32_t> ids;
  std::vector<Index> lens;
  for (const std::vector<std::int32_t>& sentence : sentences) {
    ids.insert(ids.end(), sentence.begin(), sentence.end());
    ids.insert(ids.end(), static_cast<std::size_t>(length) - sentence.size(), filler);
    lens.push_back(static_cast<Index>(sentence.size()));
  }
  return TokenIds::box(std::move(ids), static_cast<Index>(sentences.size()), lens);
}

}  // namespace regard::testing
