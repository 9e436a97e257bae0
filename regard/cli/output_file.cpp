#include "regard/cli/output_file.h"

#include <filesystem>

#include "regard/base/check.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (a == b) return true;
  if (fs::exists(a, ignored) && fs::exists(b, ignored)) return fs::equivalent(a, b, ignored);
  return fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored);
}

}  // namespace

void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs,
                   bool overwrite) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    check(!path.empty(), option, " needs the name of a file");
    for (std::size_t j = 0; j < i; ++j)
      check(!same_file(path, outputs[j].path), option, " and ", outputs[j].option, " both write ",
            path, "; name two files");
    if (path == "-") continue;
    for (const std::string& input : inputs)
      check(!same_file(path, input), option, " would overwrite the input ", path,
            "; name another file");
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) continue;
    check(fs::is_regular_file(path, ignored), option, ": ", path, " is there and no regular file");
    check(overwrite, option, ": ", path, " is there already; give --overwrite to replace it");
  }
}

}  // namespace regard
