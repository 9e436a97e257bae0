#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "regard/model/model_folder.h"
#include "regard/serve/engine/engine.h"
#include "regard/serve/model/weight_pictures.h"
#include "regard/trace/head_survey.h"

namespace regard {

/// The languages of a model; those that its folder names go first.
struct ModelLanguages {
  std::string from{}, to{};
  std::string remedy{};  ///< what a warning that they are missing advises
};

/// Where a model comes from and what it is called.
struct ModelPlace {
  std::string name, folder;
  ModelLanguages languages{};
};

/// A model that translates, or says what pictures show, with the thread that does so by it.
class ServedModel {
 public:
  /// Throws as load_model does.
  ServedModel(ModelPlace place, EngineSpec spec, NotFinite not_finite = NotFinite::warn);

  /// Asks it for a little. Throws Error(input) if that gives no finite score.
  void try_out() const;

  const std::string& name() const { return place_.name; }
  const std::string& folder() const { return place_.folder; }
  const LoadedModel& loaded() const { return loaded_; }
  const ModelInfo& info() const { return loaded_.info; }
  bool captions() const;  ///< whether it reads pictures, not text
  const nlohmann::ordered_json& about() const { return about_; }  ///< as /v1/model tells it
  /// The same for those without a key: with built-in sentences instead of the model's examples,
  /// which may be from the text that it was trained with.
  const nlohmann::ordered_json& public_about() const { return public_about_; }
  Engine& engine() const { return engine_; }
  WeightPictures& weight_pictures() const { return weight_pictures_; }

  /// What each head does over the example sentences; found out when first asked for.
  const std::vector<SurveyedHead>& surveyed_heads() const;

 private:
  ModelPlace place_;
  mutable WeightPictures weight_pictures_;  // before the model: both are of one open file
  LoadedModel loaded_;
  nlohmann::ordered_json about_, public_about_;
  mutable Engine engine_;
  mutable std::once_flag survey_;
  mutable std::vector<SurveyedHead> surveyed_heads_;
};

using ServedModelPtr = std::shared_ptr<const ServedModel>;

}  // namespace regard
