#pragma once

#include <limits>
#include <string>

#include "regard/model/model_folder.h"
#include "regard/tokens/words.h"
#include "tests/cli/program.h"

namespace regard::testing {

/// A model that nobody trained, small enough to be made for every test.
struct SmallModel {
  std::string architecture = "transformer", position = "sinusoidal";
  Index max_length = 512;
  std::uint64_t seed = 1;
  bool not_finite = false;  ///< one weight is NaN
};

inline const std::vector<std::string> kSmallText{"a b c d e f g h i j k l m n o p . ! ?",
                                                 "the black cat sleeps at home ."};

/// Writes it to folder/m and returns that name.
inline std::string write_small_model(const Folder& folder, const SmallModel& how = {},
                                     const std::string& name = "m") {
  const auto source = word_vocabulary(kSmallText, {.min_frequency = 1});
  const auto target =
      word_vocabulary(std::vector<std::string>{"A B C D E F G H I . !"}, {.min_frequency = 1});
  ModelCard card{.spec = {.architecture = how.architecture,
                          .source_vocabulary = source->size(),
                          .target_vocabulary = target->size(),
                          .width = 16,
                          .hidden = 24,
                          .heads = 2,
                          .encoder_layers = 1,
                          .decoder_layers = 2,
                          .position = how.position,
                          .tied = "none",
                          .max_length = how.max_length},
                 .from = "en",
                 .to = "fr",
                 .source = source,
                 .target = target,
                 .alignment = {}};
  if (how.architecture == "bahdanau") card.spec.mechanism = "additive";
  const auto model = make_model(card.spec, Rng(how.seed));
  std::vector<NamedParameter> parameters = parameters_of(*model);
  for (NamedParameter& each : parameters) {
    Tensor value = each.parameter.value();
    if (each.name.starts_with("output"))  // a fresh model has no opinions
      for (float& x : value.span<float>()) x *= 3;
    if (how.not_finite && each.name.starts_with("output"))
      value.span<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  }
  const std::string path = folder.path(name);
  std::filesystem::create_directories(path);
  save_card(path, card);
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
