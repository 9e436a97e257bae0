#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/check.h"
#include "regard/model/model_folder.h"

namespace CLI {
class App;
}

namespace regard {

/// How a model that a command is for is trained, as its messages say.
struct TrainingHint {
  std::string_view flags{}, text = "SOURCE TARGET";
  std::string_view builtin = "builtin:en-fr", folder = "runs/demo";
  std::string_view also{};  ///< another way, in words
};

/// Which model a command uses, and how strict it is with it.
struct ModelOption {
  std::optional<std::string> folder{};
  bool strict = false;
  TrainingHint hint{};
};

/// `if_unset` is added to the help: what the command does without --model.
void declare(CLI::App& app, ModelOption& option, const std::string& if_unset = "");

/// The folder of the model. Throws Error(usage) if --model was not given, and Error(input) that
/// says how to get a model if there is none.
std::string model_folder(const ModelOption& option);

/// The files of the model, which no output may be; none if --model was not given.
std::vector<std::string> model_files(const ModelOption& option);

/// The model itself, of any kind; with --strict, weights that are not finite are refused.
Loaded<Model> open_model(const ModelOption& option);

/// The same, packed: to use and to look into, not to save.
Loaded<Model> open_packed(const ModelOption& option);

/// The same of one kind; others are refused, and the command for them is named.
template <class Kind>
Loaded<Kind> open_kind(const ModelOption& option) {
  Loaded<Model> loaded = open_packed(option);
  try {
    return as_kind<Kind>(std::move(loaded));
  } catch (const Error& error) {
    fail(Blame(error.fault).at(*option.folder), *option.folder, ": ", error.what(), " --model ",
         *option.folder);
  }
}

/// The same of a model that translates.
LoadedModel open_translator(const ModelOption& option);

}  // namespace regard
