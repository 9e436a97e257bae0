#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regard/model/sequence_model.h"
#include "regard/position/position.h"
#include "tests/block/layer_testing.h"
#include "tests/model/model_testing.h"

namespace regard::testing {

/// A small model of any make, for a vocabulary of 11; architectures take turns.
inline ModelSpec some_model_spec(Draw& draw) {
  const bool recurrent = draw.number() % 2 == 1;
  const auto schemes = all_position_schemes();
  const auto mechanisms = all_mechanisms();
  const auto pick = [&](auto names) {
    return std::string(names[static_cast<std::size_t>(draw.integer(0, 1000)) % names.size()]->name);
  };
  const Index layers = draw.integer(1, 2);
  ModelSpec spec{
      .architecture = recurrent ? "bahdanau" : "transformer",
      .source_vocabulary = 11,
      .target_vocabulary = 11,
      .heads = draw.integer(1, 3),
      .kv_heads = draw.coin() ? 1 : 0,
      .encoder_layers = layers,
      .decoder_layers = layers,
      .position = pick(schemes),
      .mechanism = draw.coin() ? (recurrent ? "additive" : "scaled-dot") : pick(mechanisms),
      .activation = "gelu",
      .pre_norm = draw.coin(),
      .tied = draw.coin()   ? "all"
              : draw.coin() ? "target"
                            : "none",
      .max_length = 32,
      .first_position = draw.integer(0, 1)};
  spec.width = spec.heads * 4;
  spec.hidden = draw.integer(3, 9);
  return spec;
}

/// What to say of a failing draw.
inline std::string title(const ModelSpec& spec) {
  return spec.architecture + ", " + spec.mechanism + ", " + spec.position + ", tied " + spec.tied;
}

inline std::vector<Var> parameters(SequenceModel& model) {
  std::vector<Var> found;
  model.each([&](const std::string&, Var& parameter) { found.push_back(parameter); });
  return found;
}

/// Every parameter drawn anew, so that no bias hides at 0.
inline void randomise(SequenceModel& model, Rng rng) {
  model.each([&](const std::string& name, Var& p) {
    p.set_value(Tensor::uniform(p.shape(), rng.fork(name), p.dtype(), -0.7, 0.7));
  });
}

/// Token t of each sentence; REQUIRES that it has one.
inline std::vector<std::int32_t> tokens_at(const Ids& sentences, std::size_t t) {
  std::vector<std::int32_t> tokens;
  for (const std::vector<std::int32_t>& sentence : sentences) tokens.push_back(sentence.at(t));
  return tokens;
}

inline Tensor rows_of(const Tensor& rows, const Segments& segments, Index b) {
  return some_rows(rows, segments.begin(b), segments.length(b));
}

}  // namespace regard::testing
