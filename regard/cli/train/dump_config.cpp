#include "regard/cli/train/dump_config.h"

#include "regard/cli/serve/serve_options.h"
#include "regard/cli/translate/decode_options.h"
#include "regard/config/toml.h"

namespace regard {

std::string dumped_config(const TrainOptions& options, ChosenRecipe& chosen) {
  DecodeSpec decode = default_decode_spec();
  ServeSettings serve;
  const std::vector<Section> others{{"decode", fields_of(decode)}, serve_section(serve)};
  if (options.config) read_toml(*options.config, with_others(others), chosen.origins);
  read_environment(others, chosen.origins);
  std::vector<Section> sections = chosen.sections();
  sections.insert(sections.end(), others.begin(), others.end());
  return dump_toml(sections, chosen.origins, Dump::to_edit);
}

}  // namespace regard
