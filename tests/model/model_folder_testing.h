#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "regard/model/model_folder.h"
#include "regard/tokens/words.h"
#include "tests/model/sequence_model_testing.h"

namespace regard::testing {

/// A folder that goes away with the test.
class ScratchFolder {
 public:
  ScratchFolder() : path_(::testing::TempDir() + "regard-model-XXXXXX") {
    EXPECT_NE(::mkdtemp(path_.data()), nullptr);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A vocabulary of that many tokens.
inline std::shared_ptr<const Tokenizer> words_of(Index size) {
  std::string line;
  for (Index i = kSpecials; i < size; ++i) line.append(" w").append(std::to_string(i));
  return word_vocabulary(std::vector<std::string>{line}, {.min_frequency = 1});
}

/// Its card and its weights.
inline void save_model(const std::string& folder, const ModelCard& card, SequenceModel& model) {
  save_card(folder, card);
  save_weights(folder + "/" + std::string(kWeightsFile), parameters_of(model));
}

/// A card for a small model of any make; one table serves two sides, one or none by turns.
inline ModelCard some_card(Draw& draw) {
  constexpr const char* kTied[] = {"all", "target", "none"};
  ModelCard card;
  card.spec = some_model_spec(draw);
  card.spec.tied = kTied[draw.number() / 2 % 3];
  if (card.spec.tied != "all" && draw.coin()) card.spec.target_vocabulary = 13;
  const bool joint = card.spec.target_vocabulary == card.spec.source_vocabulary && draw.coin();
  card.from = "en";
  card.to = "fr";
  card.source = words_of(card.spec.source_vocabulary);
  card.target = joint ? card.source : words_of(card.spec.target_vocabulary);
  card.alignment = {.layer = 0, .head = 0, .after = draw.coin()};
  return card;
}

}  // namespace regard::testing
