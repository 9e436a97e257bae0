#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "regard/model/architecture.h"
#include "regard/model/sequence_model.h"
#include "regard/position/position.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "regard/trace/trace.h"
#include "tests/model/architectures.h"
#include "tests/support/law.h"

namespace regard::testing {

inline const std::vector<std::string> kTraceText{"a b c d e f g h i j k l m n o p . ! ?",
                                                 "the black cat sleeps at home ."};

/// A model that nobody trained, with opinions: its output table is wider spread than a fresh one's.
inline LoadedModel traced_model(ModelSpec spec, Rng rng, bool subwords = false) {
  ModelInfo info;
  info.from = "en";
  info.to = "fr";
  if (subwords) {
    static const auto joint = train_subwords(kTraceText, {.size = 300});
    info.source = info.target = joint;
  } else {
    info.source = info.target = word_vocabulary(kTraceText, {.min_frequency = 1});
    if (reads_source(spec))
      info.target =
          word_vocabulary(std::vector<std::string>{"A B C D E F G H I . !"}, {.min_frequency = 1});
  }
  spec.source_vocabulary = info.source->size();
  spec.target_vocabulary = info.target->size();
  info.spec = spec;
  std::unique_ptr<SequenceModel> model = make_sequence_model(spec, rng);
  model->each([&](const std::string& name, Var& parameter) {
    if (!name.starts_with("output")) return;
    Tensor value = parameter.value();
    for (float& x : value.span<float>()) x *= 3;
  });
  return {std::move(info), std::move(model)};
}

inline ModelSpec small_spec() {
  return {.width = 16,
          .hidden = 24,
          .heads = 2,
          .encoder_layers = 1,
          .decoder_layers = 2,
          .tied = "none",
          .max_length = 64};
}

/// A model of one of these kinds, which take turns, as position schemes do.
inline LoadedModel some_traced_model(Draw& draw, const std::vector<const Architecture*>& kinds) {
  const auto number = static_cast<std::size_t>(draw.number());
  const Architecture& kind = *kinds[number % kinds.size()];
  ModelSpec spec = small_spec();
  spec.architecture = kind.name;
  spec.mechanism = kind.preferred({}).mechanism;
  if (kind.uses("position")) {
    const auto schemes = all_position_schemes();
    spec.position = schemes[number / kinds.size() % schemes.size()]->name;
    spec.kv_heads = draw.coin() ? 1 : 0;
    spec.first_position = draw.integer(0, 1);
    for (OwnAttention* own : {&spec.encoder, &spec.decoder, &spec.cross}) {
      own->heads = draw.coin() ? draw.integer(1, 2) : 0;
      own->window = draw.coin() ? draw.integer(1, 3) : 0;
    }
  } else {
    spec.encoder_layers = spec.decoder_layers;
  }
  if (draw.integer(0, 3) == 0) {
    const auto mechanisms = all_mechanisms();
    spec.mechanism =
        mechanisms[static_cast<std::size_t>(draw.integer(0, 1000)) % mechanisms.size()]->name;
  }
  return traced_model(spec, draw.rng("model"), draw.integer(0, 3) == 0);
}

/// A model of any kind that reads text, or nothing.
inline LoadedModel some_traced_model(Draw& draw) {
  std::vector<const Architecture*> kinds;
  for (const Architecture* each : generating_architectures())
    if (each->translates() || !each->reads_source()) kinds.push_back(each);
  return some_traced_model(draw, kinds);
}

/// A model that translates.
inline LoadedModel some_traced_translator(Draw& draw) {
  return some_traced_model(draw, translating_architectures());
}

/// Words that the model knows, and now and then one that it does not.
inline std::string some_text(Draw& draw, Index longest = 7) {
  const std::string words = "abcdefghijklmnop.!?Z";
  std::string text;
  for (Index n = draw.integer(0, longest); n > 0; --n) {
    if (!text.empty()) text += ' ';
    text += words[static_cast<std::size_t>(draw.integer(0, 19))];
  }
  return text;
}

inline TraceRequest some_request(Draw& draw) {
  TraceRequest request;
  request.decode.beam = draw.integer(1, 4);
  request.decode.max_length = draw.integer(0, 9);
  request.decode.length_penalty = static_cast<double>(draw.integer(0, 2)) / 2;
  request.top = draw.integer(0, 6);
  request.vectors = draw.coin();
  return request;
}

}  // namespace regard::testing
