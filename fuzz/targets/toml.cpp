#include "regard/config/toml.h"

#include "fuzz/recipe_sections.h"
#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// Settings that are accepted are the same after writing and reading.
void try_toml(std::string_view bytes) {
  Recipe recipe, again;
  Origins origins, origins_again;
  read_toml_text(bytes, "regard.toml", with_others(recipe_sections(recipe)), origins);
  const std::string written = dump_toml(recipe_sections(recipe), origins);
  read_toml_text(written, "again.toml", with_others(recipe_sections(again)), origins_again);
  law(dump_toml(recipe_sections(again), origins) == written, "the settings are others");
}

}  // namespace

extern const FuzzTarget toml{.name = "toml",
                             .about = "settings of a run in TOML",
                             .max_bytes = 2048,
                             .attempt = try_toml,
                             .refusal = Fault::usage,
                             .slow = true};

}  // namespace regard::targets
