#include "regard/cli/model_option.h"

#include <filesystem>

#include "regard/base/check.h"
#include "regard/base/open_file.h"
#include "regard/cli/options.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/model/run_state.h"

namespace regard {

void declare(CLI::App& app, ModelOption& option, const std::string& if_unset) {
  add_option(app, {"-m,--model", "DIR", "folder of a trained model" + if_unset, "Model"},
             option.folder);
  add_flag(app, {"--strict", "", "refuse weights that are not finite", "Model"}, option.strict);
}

std::string model_folder(const ModelOption& option) {
  const TrainingHint& hint = option.hint;
  const std::string train = "regard train " + std::string(hint.flags) + "--train ";
  check(option.folder && !option.folder->empty(), "--model DIR is missing, the folder of a model; ",
        "train one with: ", train, hint.builtin, " --model ", hint.folder, " --preset tiny",
        hint.also);
  const std::string& folder = *option.folder;
  const std::string train_it = train + std::string(hint.text) + " --model " + folder;
  std::error_code ignored;
  const bool there = std::filesystem::exists(folder, ignored);
  if (there && !std::filesystem::is_directory(folder, ignored))
    fail(Blame(Fault::input).at(folder), folder, ": not a folder; name the folder that holds ",
         kConfigFile, " and ", kWeightsFile);
  if (!there)
    fail(Blame(Fault::input).at(folder), folder, ": no such folder; train a model with: ", train_it,
         hint.also);
  const RunFolder files(folder);
  if (!is_there(files.weights()) && read_run_status(files).state == RunState::running)
    fail(Blame(Fault::input).at(folder), folder,
         ": training runs, but has not saved a model yet; wait for its first validation "
         "(train.validate_every)");
  if (!is_there(files.config()))
    fail(Blame(Fault::input).at(folder), folder, ": no model in this folder (no ", kConfigFile,
         "); train one with: ", train_it, hint.also);
  if (!is_there(files.weights())) {
    load_info(folder);  // a folder of another program's is told as such
    fail(Blame(Fault::input).at(folder), folder, ": the model has no weights yet (no ",
         kWeightsFile, "); resume training with: regard train --model ", folder);
  }
  return folder;
}

std::vector<std::string> model_files(const ModelOption& option) {
  return option.folder ? model_files(*option.folder) : std::vector<std::string>{};
}

namespace {

/// What `load` makes of the folder; an error that names no file names the folder.
Loaded<Model> opened(const ModelOption& option, decltype(load_plain) load) {
  const std::string folder = model_folder(option);
  try {
    return load(folder, option.strict ? NotFinite::refuse : NotFinite::warn);
  } catch (Error& error) {
    if (error.place.path.empty()) error.place.path = folder;
    throw;
  }
}

}  // namespace

Loaded<Model> open_model(const ModelOption& option) {
  return opened(option, load_plain);
}

Loaded<Model> open_packed(const ModelOption& option) {
  return opened(option, load_packed);
}

LoadedModel open_translator(const ModelOption& option) {
  LoadedModel loaded = open_kind<SequenceModel>(option);
  const Architecture& made = find_architecture(loaded.info.spec.architecture);
  if (!made.translates())
    fail(Blame(Fault::usage).at(*option.folder), *option.folder, ": a model of architecture ",
         made.name, " does not translate; ", made.reads_source() ? "use" : "it continues a text",
         ": regard ", made.command, " --model ", *option.folder);
  return loaded;
}

}  // namespace regard
