#include "regard/cli/shipped_model.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

#include "regard/base/check.h"
#include "regard/cli/for_shell.h"
#include "regard/cli/standard_output.h"
#include "regard/model/model_folder.h"

namespace regard {
namespace {

std::optional<uid_t> owner_of(const std::filesystem::path& file) {
  struct stat about {};
  return ::stat(file.c_str(), &about) == 0 ? std::optional(about.st_uid) : std::nullopt;
}

}  // namespace

std::optional<std::string> shipped_model() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path above = program.parent_path().parent_path();
  const std::optional<uid_t> own = owner_of(program);
  std::string refused;
  for (const char* place : {"models/en-fr", "share/regard/models/en-fr"}) {
    const fs::path folder = above / place;
    const std::optional<uid_t> owner = owner_of(folder / kConfigFile);
    if (!owner) continue;
    if (*owner == 0 || owner == own) return folder.string();
    if (refused.empty())
      refused = fmt::format(
          "{0}: found the model that comes with regard, but it is not used: it belongs to user "
          "{1}, "
          "who is neither root nor the owner of {2}; to use it anyway, name it: --model {3}",
          folder.string(), *owner, program.string(), for_shell(folder.string()));
  }
  check(refused.empty(), refused);
  return {};
}

void declare_or_shipped(CLI::App& app, ModelOption& option) {
  declare(app, option, "\n(default: the one that comes with regard, English to French)");
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
