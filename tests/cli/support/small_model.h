#pragma once

#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "regard/model/architecture.h"
#include "regard/model/model_folder.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "tests/cli/program.h"

namespace regard::testing {

/// A model that nobody trained, small enough to be made for every test.
struct SmallModel {
  std::string architecture = "transformer", position = "sinusoidal";
  Index max_length = 512;
  std::uint64_t seed = 1;
  bool not_finite = false;  ///< one weight is NaN
  bool overflows = false;   ///< weights so large that what they give is not finite
  bool subwords = false;    ///< a joint vocabulary of subwords, not one of words for each side
  bool joined = false;      ///< some target words follow others without a space
  OwnAttention encoder{}, decoder{}, cross{};
  std::string encoder_norm{};
};

inline const std::vector<std::string> kSmallText{"a b c d e f g h i j k l m n o p . ! ?",
                                                 "the black cat sleeps at home ."};

/// What a model that labels has to choose from.
inline const std::vector<std::string> kSmallLabels{"bad", "good", "so-so"};

/// The vocabularies of source and target, the latter of a model that writes text; a model that
/// labels pictures has none.
inline std::pair<std::shared_ptr<const Tokenizer>, std::shared_ptr<const Tokenizer>> small_words(
    const SmallModel& how) {
  const Architecture& made = find_architecture(how.architecture);
  if (made.writes == Writes::label && made.reads == Reads::image) return {nullptr, nullptr};
  if (made.writes == Writes::label)
    return {word_vocabulary(kSmallText, {.min_frequency = 1}), nullptr};
  if (how.subwords) {
    static const auto joint = train_subwords(kSmallText, {.size = 300});
    return {joint, joint};
  }
  if (!made.reads_source()) {
    const auto words = word_vocabulary(kSmallText, {.min_frequency = 1});
    return {words, words};
  }
  const std::string target = how.joined ? "A, B. l'homme C!" : "A B C D E F G H I . !";
  return {word_vocabulary(kSmallText, {.min_frequency = 1}),
          word_vocabulary(std::vector<std::string>{target}, {.min_frequency = 1})};
}

/// Writes it to folder/m and returns that name.
inline std::string write_small_model(const Folder& folder, const SmallModel& how = {},
                                     const std::string& name = "m") {
  const auto [source, target] = small_words(how);
  ModelInfo info;
  info.spec.architecture = how.architecture;
  info.spec.source_vocabulary = source ? source->size() : 0;
  if (!target) info.labels = kSmallLabels;
  info.spec.target_vocabulary = target ? target->size() : static_cast<Index>(kSmallLabels.size());
  info.spec.width = 16;
  info.spec.hidden = 24;
  info.spec.heads = 2;
  info.spec.encoder_layers = 1;
  info.spec.decoder_layers = 2;
  info.spec.position = how.position;
  info.spec.tied = "none";
  info.spec.max_length = how.max_length;
  info.spec.encoder = how.encoder;
  info.spec.decoder = how.decoder;
  info.spec.cross = how.cross;
  info.spec.encoder_norm = how.encoder_norm;
  if (reads_source(info.spec)) info.from = "en";
  if (target) info.to = "fr";
  info.source = source;
  info.target = target;
  if (how.architecture == "bahdanau") {
    info.spec.mechanism = "additive";
    info.spec.encoder_layers = info.spec.decoder_layers;
  }
  const auto model = make_model(info.spec, Rng(how.seed));
  std::vector<NamedParameter> parameters = parameters_of(*model);
  for (NamedParameter& each : parameters) {
    Tensor value = each.parameter.value();
    if (each.name.starts_with("output"))  // a fresh model has no opinions
      for (float& x : value.span<float>()) x *= 3;
    if (how.not_finite && each.name.starts_with("output"))
      value.span<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    if (how.overflows)
      for (float& x : value.span<float>()) x = std::numeric_limits<float>::max();
  }
  const std::string path = folder.path(name);
  std::filesystem::create_directories(path);
  save_info(path, info);
  save_weights(path + "/" + std::string(kWeightsFile), parameters);
  return path;
}

/// The lines of a text.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

}  // namespace regard::testing
