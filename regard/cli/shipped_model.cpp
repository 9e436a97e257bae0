#include "regard/cli/shipped_model.h"

#include <fmt/format.h>

#include <filesystem>

#include "regard/cli/standard_output.h"
#include "regard/model/model_folder.h"

namespace regard {

std::optional<std::string> shipped_model() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path above = program.parent_path().parent_path();
  for (const char* place : {"models/en-fr", "share/regard/models/en-fr"})
    if (fs::path folder = above / place; fs::exists(folder / kConfigFile, error))
      return folder.string();
  return {};
}

void declare_or_shipped(CLI::App& app, ModelOption& option) {
  declare(app, option, "\n(default: the English-French model that comes with regard)");
}

void take_shipped_model(ModelOption& option, const Settings& settings) {
  if (option.folder) return;
  option.folder = shipped_model();
  if (option.folder && !settings.quiet)
    write_error_line(
        fmt::format("regard: using {}, the model that comes with regard "
                    "(English to French); --model DIR uses another",
                    *option.folder));
}

}  // namespace regard
