#include "fuzz/recipe_sections.h"
#include "fuzz/target.h"
#include "regard/config/section.h"

namespace regard::targets {
namespace {

/// A number that was set has the same text again as its value.
void try_settings(std::string_view bytes) {
  Recipe recipe;
  Origins origins;
  const std::vector<Section> sections = recipe_sections(recipe);
  set_value(sections, bytes, "--set", origins);
  const std::size_t equals = bytes.find('='), dot = bytes.find('.');
  const std::string key(bytes.substr(0, equals));
  const Section* section = find(sections, key.substr(0, dot));
  const FieldRef* field = section ? find(section->fields, key.substr(dot + 1)) : nullptr;
  law(field, "'", key, "' was set, but there is no such setting");
  law(!assign(*field, value_of(*field)), "a value that was set is not a value of the setting");
}

}  // namespace

extern const FuzzTarget settings{.name = "settings",
                                 .about = "one setting, as --set gives it",
                                 .max_bytes = 96,
                                 .attempt = try_settings,
                                 .refusal = Fault::usage,
                                 .slow = true};

}  // namespace regard::targets
