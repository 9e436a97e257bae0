#include "regard/serve/model/served_model.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "regard/base/file.h"
#include "regard/trace/model_json.h"

namespace regard {
namespace {

/// XXH3-64 of the weights' file (Collet, xxHash), as the command `info` shows it.
std::string hash_of(const std::string& folder) {
  const std::string bytes =
      read_file(folder + "/" + std::string(kWeightsFile), std::size_t{1} << 40);
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace

ServedModel::ServedModel(ModelPlace place, EngineSpec spec)
    : place_(std::move(place)),
      loaded_(load_model(place_.folder)),
      about_(model_json(place_.name, loaded_, hash_of(place_.folder))),
      engine_(*loaded_.model, spec) {}

}  // namespace regard
