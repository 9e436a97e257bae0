#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "regard/position/position.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "regard/trace/trace.h"
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
    info.source = word_vocabulary(kTraceText, {.min_frequency = 1});
    info.target =
        word_vocabulary(std::vector<std::string>{"A B C D E F G H I . !"}, {.min_frequency = 1});
  }
  spec.source_vocabulary = info.source->size();
  spec.target_vocabulary = info.target->size();
  info.spec = spec;
  std::unique_ptr<SequenceModel> model = make_model(spec, rng);
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

/// Both architectures, every position scheme and mechanism in turn, words and sub-words.
inline LoadedModel some_traced_model(Draw& draw) {
  const auto number = static_cast<std::size_t>(draw.number());
  ModelSpec spec = small_spec();
  const auto mechanism = [&] {
    return std::string(all_mechanisms()[number / 3 % all_mechanisms().size()]->name);
  };
  if (number % 3 == 2) {
    spec.architecture = "bahdanau";
    spec.encoder_layers = 2;
    spec.mechanism = number % 2 ? "additive" : mechanism();
  } else {
    const auto schemes = all_position_schemes();
    spec.position = schemes[(number / 3 * 2 + number % 3) % schemes.size()]->name;
    spec.kv_heads = draw.coin() ? 1 : 0;
    spec.first_position = draw.integer(0, 1);
    if (number % 4 == 1) spec.mechanism = mechanism();
  }
  return traced_model(spec, draw.rng("model"), draw.number() % 4 == 3);
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
