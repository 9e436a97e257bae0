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

/// Its config.json and its weights.
inline void save_model(const std::string& folder, const ModelInfo& info, Model& model) {
  save_info(folder, info);
  save_weights(folder + "/" + std::string(kWeightsFile), parameters_of(model));
}

/// ModelInfo of a small model of one of these kinds; one table serves two sides, one or none by
/// turns.
inline ModelInfo some_info_of(Draw& draw, std::span<const Architecture* const> kinds) {
  constexpr const char* kTied[] = {"all", "target", "none"};
  ModelInfo info;
  info.spec = some_spec_of(draw, kinds);
  info.spec.tied = kTied[draw.number() / 2 % 3];
  if (info.spec.tied != "all" && draw.coin()) info.spec.target_vocabulary = 13;
  const bool joint = info.spec.target_vocabulary == info.spec.source_vocabulary && draw.coin();
  info.from = "en";
  const Architecture& kind = find_architecture(info.spec.architecture);
  if (kind.reads != Reads::image || kind.writes == Writes::text)
    info.source = words_of(info.spec.source_vocabulary);
  if (kind.writes == Writes::label) {
    for (Index i = 0; i < info.spec.target_vocabulary; ++i)
      info.labels.push_back("label " + std::to_string(i));
    return info;
  }
  info.to = "fr";
  info.target = joint ? info.source : words_of(info.spec.target_vocabulary);
  if (reads_source(info.spec)) info.alignment = {.layer = 0, .head = 0, .shift = draw.coin()};
  return info;
}

/// Of those that generate tokens.
inline ModelInfo some_info(Draw& draw) {
  return some_info_of(draw, generating_architectures());
}

}  // namespace regard::testing
