#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "regard/serve/model/served_model.h"

namespace regard {

/// The models of a service as they are at one moment.
using Models = std::vector<ServedModelPtr>;

/// Keeps the models of a service, and changes them while they are used.
class ModelRegistry {
 public:
  /// Loads all. Names are those of the folders, with a number if two are alike.
  ModelRegistry(const std::vector<std::string>& folders, EngineSpec spec,
                const ModelLanguages& languages = {});

  ~ModelRegistry();  ///< stops every engine

  std::shared_ptr<const Models> models() const;

  /// Loads every model again and tries it out. What cannot be loaded, has weights that are not
  /// finite or translates nothing stays as it was, with a warning; requests at work finish with the
  /// model they began with.
  void reload();

 private:
  void sweep();

  const EngineSpec spec_;
  std::vector<ModelPlace> places_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Models> models_;
  std::mutex reloading_;
  Models retired_;  // still used; an engine may not be destroyed by its own thread
};

// Languages are those of text that is translated: a model of pictures has none.

/// A language code as the models spell it: in lower case, with "zh-hans" and "zh-cn" as zh,
/// "zh-hant" and "zh-tw" as zt, "pt-br" as pb if a model has that, and without the region if
/// only that is known. Empty if no model has the language.
std::string known_language(const Models& models, std::string_view code);

/// The first model for a pair of known languages; none: nullptr.
ServedModelPtr model_for(const Models& models, std::string_view from, std::string_view to);

/// Every language, sorted by its code, with what it can be translated to, itself included. Models
/// that do not name theirs count for nothing.
std::map<std::string, std::vector<std::string>> targets_of(const Models& models);

/// The languages that can be translated from, each once, in the order of the models.
std::vector<std::string> source_languages(const Models& models);

}  // namespace regard
