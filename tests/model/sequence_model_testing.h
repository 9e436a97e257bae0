#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regard/model/architecture.h"
#include "regard/model/label_model.h"
#include "regard/model/sequence_model.h"
#include "regard/position/position.h"
#include "tests/block/layer_testing.h"
#include "tests/model/architectures.h"
#include "tests/model/model_testing.h"

namespace regard::testing {

/// A small model of any make of one of these kinds, which take turns, for a vocabulary of 11.
inline ModelSpec some_spec_of(Draw& draw, std::span<const Architecture* const> kinds) {
  const Architecture& kind = *kinds[static_cast<std::size_t>(draw.number()) % kinds.size()];
  const auto schemes = all_position_schemes();
  const auto mechanisms = all_mechanisms();
  const auto pick = [&](auto names) {
    return std::string(names[static_cast<std::size_t>(draw.integer(0, 1000)) % names.size()]->name);
  };
  const Index layers = draw.integer(1, 2);
  ModelSpec spec{.architecture = std::string(kind.name),
                 .source_vocabulary = 11,
                 .target_vocabulary = 11,
                 .heads = draw.integer(1, 3),
                 .kv_heads = draw.coin() ? 1 : 0,
                 .encoder_layers = layers,
                 .decoder_layers = layers,
                 .position = pick(schemes),
                 .mechanism = draw.coin() ? kind.preferred({}).mechanism : pick(mechanisms),
                 .activation = "gelu",
                 .pre_norm = draw.coin(),
                 .tied = draw.coin()   ? "all"
                         : draw.coin() ? "target"
                                       : "none",
                 .max_length = 32,
                 .first_position = draw.integer(0, 1)};
  spec.width = spec.heads * 4;
  for (OwnAttention* own : {&spec.encoder, &spec.decoder, &spec.cross}) {
    if (draw.coin()) continue;
    own->heads = draw.integer(0, 2);
    own->window = draw.integer(0, 4);
    if (draw.coin()) own->mechanism = pick(mechanisms);
  }
  spec.encoder_norm = draw.coin() ? "" : draw.coin() ? "pre" : "post";
  spec.decoder_norm = draw.coin() ? "" : draw.coin() ? "pre" : "post";
  spec.hidden = draw.integer(3, 9);
  spec.image_size = 4;
  spec.image_patch = 1;
  return spec;
}

/// Of those that generate tokens.
inline ModelSpec some_model_spec(Draw& draw) {
  return some_spec_of(draw, generating_architectures());
}

/// How many numbers of a source make a row of the encoder: one token, or the levels of a patch.
inline Index numbers_per_row(const ModelSpec& spec) {
  const bool image = find_architecture(spec.architecture).reads == Reads::image;
  return image ? spec.image_patch * spec.image_patch * 3 : 1;
}

/// What a model may be given to read, of so many rows of its encoder each: tokens of its source's
/// vocabulary, or the levels of patches.
inline Ids some_sources(Draw& draw, const ModelSpec& spec, Index count, Index low, Index high) {
  const bool image = find_architecture(spec.architecture).reads == Reads::image;
  const Index numbers = numbers_per_row(spec);
  Ids sources(static_cast<std::size_t>(count));
  for (std::vector<std::int32_t>& source : sources)
    for (Index n = draw.integer(low, high) * numbers; n > 0; --n)
      source.push_back(
          static_cast<std::int32_t>(draw.integer(0, image ? 255 : spec.source_vocabulary - 1)));
  return sources;
}

/// The same in a box of so many rows each.
inline TokenIds boxed_sources(const Ids& sources, const ModelSpec& spec, Index rows,
                              std::int32_t filler) {
  return boxed(sources, rows * numbers_per_row(spec), filler);
}

/// Examples for a model of any kind: what it reads, and what it says of that, which is tokens or,
/// of a model that labels, the first of them.
struct Examples {
  Ids sources, targets;
};

inline Examples some_examples(Draw& draw, const ModelSpec& spec, Index count, Index low,
                              Index high) {
  return {some_sources(draw, spec, count, low, high),
          some_sentences(draw, count, std::max<Index>(low, 1), high)};
}

/// What the output layer of any model reads of the examples, and what it is to say of each row.
/// Whoever adds a model that reads or writes something else says here how it is asked.
struct Answer {
  Var rows;
  std::vector<std::int32_t> targets;
  const OutputLayer& output;
  std::vector<Index> rows_of_each;  ///< example

  Var loss(const CrossEntropySpec& spec = {}) const {
    return output.loss(rows, targets, spec, 1 / static_cast<double>(targets.size())).loss;
  }
};

inline Answer ask(const Model& model, const Examples& given, const Pass& pass = {}) {
  if (const auto* labels = dynamic_cast<const LabelModel*>(&model)) {
    std::vector<std::int32_t> first;
    for (const std::vector<std::int32_t>& target : given.targets) first.push_back(target.front());
    return {labels->forward(TokenIds::ragged(given.sources), pass), first, labels->output(),
            std::vector<Index>(given.sources.size(), 1)};
  }
  const auto& writer = dynamic_cast<const SequenceModel&>(model);
  const TokenIds said = TokenIds::ragged(given.targets);
  std::vector<Index> lengths;
  for (const std::vector<std::int32_t>& target : given.targets)
    lengths.push_back(static_cast<Index>(target.size()));
  return {writer.forward(TokenIds::ragged(given.sources), said, pass), said.ids, writer.output(),
          lengths};
}

/// Every mechanism of the model gives the same bits step by step.
inline bool is_fused(const ModelSpec& spec) {
  for (const AttentionKind kind : kAttentionKinds)
    if (layers_of(spec, kind) > 0 && !find_mechanism(mechanism_of(spec, kind)).fused) return false;
  return true;
}

/// What to say of a failing draw.
inline std::string title(const ModelSpec& spec) {
  return spec.architecture + ", " + spec.mechanism + " " + spec.encoder.mechanism + " " +
         spec.decoder.mechanism + " " + spec.cross.mechanism + ", " + spec.position + ", tied " +
         spec.tied;
}

inline std::vector<Var> parameters(Model& model) {
  std::vector<Var> found;
  model.each([&](const std::string&, Var& parameter) { found.push_back(parameter); });
  return found;
}

/// Every parameter drawn anew, so that no bias hides at 0.
inline void randomise(Model& model, Rng rng) {
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
