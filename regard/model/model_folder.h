#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "regard/model/alignment_head.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/model/sequence_model.h"
#include "regard/model/series_info.h"
#include "regard/model/weights.h"
#include "regard/tokens/tokenizer.h"

namespace regard {

/// What stands beside the weights: all that must be known to use a model.
struct ModelInfo {
  ModelSpec spec;
  std::string from, to;                             ///< languages, as in "en"
  std::shared_ptr<const Tokenizer> source, target;  ///< the latter of a model that writes text
  AlignmentHead alignment;
  std::vector<std::string> examples{};  ///< sentences to try; it may have none
  std::vector<std::string> labels{};    ///< of a model that labels what it reads
  std::optional<SeriesInfo> series{};   ///< of a model that continues series
};

/// A model read from its folder.
template <class Kind>
struct Loaded {
  ModelInfo info;
  std::unique_ptr<Kind> model;
  Dtype weights = Dtype::f32;  ///< of its products: f32, or i8
};
using LoadedModel = Loaded<SequenceModel>;  ///< one that generates tokens

// A model is a folder: config.json, model.safetensors, and the vocabularies that config.json names;
// examples.json may be there too.

inline constexpr int kModelFormat = 1;

/// Reads config.json, the vocabularies and the examples, and checks that they fit one another.
ModelInfo load_info(const std::string& folder);

/// The whole model. Everything is checked before memory is taken for the weights: the tensors that
/// the config describes are, by name and shape, those of the weights' file. Throws Error(input), or
/// Error(device) if there is no room for them. An int8 model is refused: it does not learn.
LoadedModel load_model(const std::string& folder, NotFinite not_finite = NotFinite::warn);

/// The same of any kind of model.
Loaded<Model> load_plain(const std::string& folder, NotFinite not_finite = NotFinite::warn);

/// The same or an int8 model, packed: to translate and to look inside, not to learn or to save.
LoadedModel load_translator(const std::string& folder, NotFinite not_finite = NotFinite::warn);

/// The same with weights from a file that is open already.
LoadedModel load_translator(const std::string& folder, const SafetensorsFile& weights,
                            NotFinite not_finite);

/// Any kind of model, packed.
Loaded<Model> load_packed(const std::string& folder, NotFinite not_finite = NotFinite::warn);

/// A model of that kind. Throws Error(usage) if its architecture is of another.
template <class Kind>
Loaded<Kind> as_kind(Loaded<Model> loaded) {
  return {loaded.info, as_kind<Kind>(std::move(loaded.model), loaded.info.spec), loaded.weights};
}

/// Writes config.json, the vocabularies and the examples, also if there are none; the weights are
/// save_weights()'s to write.
void save_info(const std::string& folder, const ModelInfo& info);

/// The names of the files that save_info writes.
std::vector<std::string> info_files(const ModelInfo& info);

/// The paths of the files that a model in the folder is made of, as far as its config can be read.
std::vector<std::string> model_files(const std::string& folder);

/// The parameters of a model by name.
std::vector<NamedParameter> parameters_of(Model& model);

}  // namespace regard
