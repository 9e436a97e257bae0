#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regard/model/alignment_head.h"
#include "regard/model/run_folder.h"
#include "regard/model/sequence_model.h"
#include "regard/model/weights.h"
#include "regard/tokens/tokenizer.h"

namespace regard {

/// What stands beside the weights: all that must be known to use a model.
struct ModelInfo {
  ModelSpec spec;
  std::string from, to;  ///< languages, as in "en"
  std::shared_ptr<const Tokenizer> source, target;
  AlignmentHead alignment;
};

/// A model read from its folder, ready to translate.
struct LoadedModel {
  ModelInfo info;
  std::unique_ptr<SequenceModel> model;
  Dtype weights = Dtype::f32;  ///< of its products: f32, or i8
};

// A model is a folder: config.json, model.safetensors, and the vocabularies that config.json names.

inline constexpr int kModelFormat = 1;

/// Reads config.json and the vocabularies, and checks that they fit one another.
ModelInfo load_info(const std::string& folder);

/// The whole model. Everything is checked before memory is taken for the weights: the tensors that
/// the config describes are, by name and shape, those of the weights' file. Throws Error(input), or
/// Error(device) if there is no room for them. An int8 model is refused: it does not learn.
LoadedModel load_model(const std::string& folder, NotFinite not_finite = NotFinite::warn);

/// The same or an int8 model, packed: to translate and to look inside, not to learn or to save.
LoadedModel load_translator(const std::string& folder, NotFinite not_finite = NotFinite::warn);

/// Writes config.json and the vocabularies; the weights are save_weights()'s to write.
void save_info(const std::string& folder, const ModelInfo& info);

/// The names of the files that save_info writes.
std::vector<std::string> info_files(const ModelInfo& info);

/// The paths of the files that a model in the folder is made of, as far as its config can be read.
std::vector<std::string> model_files(const std::string& folder);

/// The parameters of a model by name.
std::vector<NamedParameter> parameters_of(SequenceModel& model);

}  // namespace regard
