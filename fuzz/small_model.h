#pragma once

#include <string>
#include <vector>

#include "regard/model/model_folder.h"
#include "regard/tokens/words.h"

namespace regard {

/// ModelInfo of a model as small as can be: a vocabulary of words for both sides.
inline ModelInfo small_card() {
  ModelInfo info;
  info.from = "en";
  info.to = "fr";
  info.source = info.target =
      word_vocabulary(std::vector<std::string>{"the cat sleeps at home ."}, {.min_frequency = 1});
  info.spec = {.source_vocabulary = info.source->size(),
               .target_vocabulary = info.target->size(),
               .width = 4,
               .hidden = 2,
               .heads = 2,
               .encoder_layers = 1,
               .decoder_layers = 1};
  return info;
}

inline LoadedModel small_model() {
  LoadedModel loaded{small_card(), nullptr};
  loaded.model = make_sequence_model(loaded.info.spec, Rng(1));
  return loaded;
}

}  // namespace regard
