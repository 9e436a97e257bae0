#include "regard/convert/target.h"
#include "regard/model/run_folder.h"

namespace regard::targets {
namespace {

/// The config last: without it a folder holds no model.
std::vector<std::string> files(const ModelInfo& info) {
  std::vector<std::string> names = info_files(info);
  names.emplace_back(kWeightsFile);
  return {names.rbegin(), names.rend()};
}

void write(Loaded<Model>& loaded, const std::string& folder) {
  loaded.model->quantise();
  save_weights(RunFolder(folder).weights(), parameters_of(*loaded.model));
  save_info(folder, loaded.info);
}

}  // namespace

extern const ConvertTarget int8{
    .name = "int8",
    .summary = "int8 weights, for regard: smaller and faster",
    .files = files,
    .write = write,
    .rounds = true,
};

}  // namespace regard::targets
