#pragma once

#include <string>
#include <vector>

#include "regard/model/model_folder.h"
#include "regard/tokens/words.h"

namespace regard {

/// The card of a model as small as can be: a vocabulary of words for both sides.
inline ModelCard small_card() {
  ModelCard card;
  card.from = "en";
  card.to = "fr";
  card.source = card.target =
      word_vocabulary(std::vector<std::string>{"the cat sleeps at home ."}, {.min_frequency = 1});
  card.spec = {.source_vocabulary = card.source->size(),
               .target_vocabulary = card.target->size(),
               .width = 4,
               .hidden = 2,
               .heads = 2,
               .encoder_layers = 1,
               .decoder_layers = 1};
  return card;
}

inline LoadedModel small_model() {
  LoadedModel loaded{small_card(), nullptr};
  loaded.model = make_model(loaded.card.spec, Rng(1));
  return loaded;
}

}  // namespace regard
