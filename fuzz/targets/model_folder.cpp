#include "regard/model/model_folder.h"

#include <filesystem>

#include "fuzz/scratch_folder.h"
#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// Three files: config.json, its vocabulary joint.tokens, model.safetensors. A model that is
/// accepted is the same after saving and loading.
void try_model_folder(std::string_view bytes) {
  static const ScratchFolder folder;
  std::filesystem::create_directory(folder.path("again"));
  const std::vector<std::string_view> files = files_in(bytes, 3);
  folder.write("config.json", files[0]);
  folder.write("joint.tokens", files[1]);
  folder.write("model.safetensors", files[2]);
  const LoadedModel loaded = load_model(folder.path("."), NotFinite::refuse);
  save_card(folder.path("again"), loaded.card);
  folder.write("again/model.safetensors", weights_bytes(parameters_of(*loaded.model)));
  const LoadedModel again = load_model(folder.path("again"), NotFinite::refuse);
  law(again.card.source->bytes() == loaded.card.source->bytes(), "another vocabulary");
  law(weights_bytes(parameters_of(*again.model)) == weights_bytes(parameters_of(*loaded.model)),
      "other weights");
}

}  // namespace

extern const FuzzTarget model_folder{.name = "model_folder",
                                     .about = "folders of models",
                                     .most_bytes = 6144,
                                     .attempt = try_model_folder,
                                     .slow = true};

}  // namespace regard::targets
