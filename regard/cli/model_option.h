#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/model/model_folder.h"

namespace CLI {
class App;
}

namespace regard {

/// Which model a command uses, and how strict it is with it.
struct ModelOption {
  std::optional<std::string> folder;
  bool strict = false;
};

/// `if_unset` is added to the help: what the command does without --model.
void declare(CLI::App& app, ModelOption& option, const std::string& if_unset = "");

/// The folder of the model. Throws Error(usage) if --model was not given, and Error(input) that
/// says how to get a model if there is none.
std::string model_folder(const ModelOption& option);

/// The files of the model, which no output may be; none where --model was not given.
std::vector<std::string> model_files(const ModelOption& option);

/// The model itself; with --strict, weights that are not finite are refused.
LoadedModel open_model(const ModelOption& option);

/// The same, packed: to translate and to look, not to save.
LoadedModel open_translator(const ModelOption& option);

}  // namespace regard
