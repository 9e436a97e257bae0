#include "fuzz/target.h"
#include "regard/config/json.h"
#include "regard/model/spec.h"

namespace regard::targets {
namespace {

/// JSON that is accepted is the same after writing and reading; so are settings read from it.
void try_config_json(std::string_view bytes) {
  const nlohmann::json json = parse_json(bytes, "config.json");
  law(parse_json(json.dump(), "again") == json, "written and read again, it is other JSON");
  ModelSpec spec, again;
  read_json(json, spec, "config.json");
  const nlohmann::ordered_json written = to_json(spec);
  read_json(parse_json(written.dump(), "again"), again, "again", Absent::is_bad);
  law(to_json(again) == written, "the settings are others");
}

}  // namespace

extern const FuzzTarget config_json{.name = "config_json",
                                    .about = "JSON, and settings of a model in it",
                                    .max_bytes = 512,
                                    .attempt = try_config_json,
                                    .slow = true};

}  // namespace regard::targets
