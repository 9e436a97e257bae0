#include "regard/model/model_folder.h"

#include <filesystem>

#include "fuzz/scratch_folder.h"
#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// What a model says after the start of a sentence.
void say(const LoadedModel& loaded) {
  const NoGrad quiet;
  const TokenIds text = TokenIds::ragged({{kBos}});
  loaded.model->output().log_probabilities(loaded.model->forward(text, text, {}).value());
}

/// Three files: config.json, its vocabulary joint.tokens, model.safetensors. A model that is
/// accepted can be used, and unless it is int8 is the same after saving and loading.
void try_model_folder(std::string_view bytes) {
  static const ScratchFolder folder;
  std::filesystem::create_directory(folder.path("again"));
  const std::vector<std::string_view> files = files_in(bytes, 3);
  folder.write("config.json", files[0]);
  folder.write("joint.tokens", files[1]);
  folder.write("model.safetensors", files[2]);
  const LoadedModel translator = load_translator(folder.path("."), NotFinite::refuse);
  say(translator);
  if (translator.weights == Dtype::i8) return;
  const LoadedModel loaded = load_model(folder.path("."), NotFinite::refuse);
  save_info(folder.path("again"), loaded.info);
  folder.write("again/model.safetensors", weights_bytes(parameters_of(*loaded.model)));
  const LoadedModel again = load_model(folder.path("again"), NotFinite::refuse);
  law(again.info.source->bytes() == loaded.info.source->bytes(), "another vocabulary");
  law(weights_bytes(parameters_of(*again.model)) == weights_bytes(parameters_of(*loaded.model)),
      "other weights");
}

}  // namespace

extern const FuzzTarget model_folder{.name = "model_folder",
                                     .about = "folders of models",
                                     .max_bytes = 6144,
                                     .attempt = try_model_folder,
                                     .slow = true};

}  // namespace regard::targets
