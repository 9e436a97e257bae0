#include "regard/cli/output_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "regard/base/check.h"
#include "regard/cli/standard_output.h"
#include "regard/model/model_folder.h"
#include "regard/model/run_folder.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStandardInput = "/dev/stdin";  // leads to the file that it is, if it is one

/// What is behind a name, links followed; nothing if there is nothing.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return {};
  return about;
}

/// The same for two names of one file, or of one that is not there yet.
std::string identity(const std::string& path) {
  const auto number = [](const struct stat& about) {
    return std::to_string(about.st_dev) + ":" + std::to_string(about.st_ino);
  };
  if (const auto file = status_of(path)) return number(*file);
  const fs::path whole = fs::path(path).lexically_normal();
  const std::string folder = whole.has_parent_path() ? whole.parent_path().string() : ".";
  if (const auto parent = status_of(folder))
    return number(*parent) + "/" + whole.filename().string();
  return whole.string();
}

bool same_file(const std::string& a, const std::string& b) {
  return a == b || identity(a) == identity(b);
}

bool is_regular(const std::string& path) {
  const auto about = status_of(path);
  return about && S_ISREG(about->st_mode);
}

bool is_folder(const std::string& path) {
  const auto about = status_of(path);
  return about && S_ISDIR(about->st_mode);
}

/// Whether a file lies in the folder or in one of its folders, or would.
bool lies_below(const std::string& path, const std::string& folder) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  for (fs::path at = whole.parent_path(); is_folder(folder); at = at.parent_path()) {
    if (same_file(at, folder)) return true;
    if (at == at.parent_path()) break;
  }
  return false;
}

/// What a model or a run may keep in the folder.
std::vector<std::string> kept_files(const std::string& folder) {
  std::vector<std::string> files = RunFolder(folder).files();
  for (std::string& file : model_files(folder)) files.push_back(std::move(file));
  return files;
}

}  // namespace

void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs,
                   bool overwrite) {
  std::set<std::string> read;
  for (const std::string& input : inputs)
    read.insert(identity(input == "-" ? kStandardInput : input));
  std::map<std::string, std::string> written;  // and by which option
  for (const auto& [option, path] : outputs) {
    check(!path.empty(), option, " needs the name of a file");
    const std::string file = path == "-" ? path : identity(path);
    const auto [other, fresh] = written.emplace(file, option);
    check(fresh, option, " and ", other->second, " both write ", path, "; name two files");
    if (path == "-") continue;
    check_not_log(path, option);
    check(!read.contains(file), option, " would overwrite the input ", path, "; name another file");
    if (!is_there(path)) continue;
    check(is_regular(path), option, ": ", path, " is there and no regular file");
    check(overwrite, option, ": ", path, " is there already; give --overwrite to replace it");
  }
}

void write_to(const std::string& path, std::string_view content, bool overwrite) {
  path == "-" ? write_output(content) : write_file(path, content, if_there(overwrite));
}

void check_log(const std::string& log, const std::vector<std::string>& paths) {
  const auto check_other = [&](const std::string& path) {
    check(!same_file(log, path), "--log-file would write into ", path, "; name another file");
  };
  if (is_regular(kStandardInput)) check_other(kStandardInput);
  for (const std::string& path : paths) {
    check_other(path);
    if (!is_folder(path)) continue;
    for (const std::string& file : kept_files(path)) check_other(file);
    const RunFolder run(path);
    for (const std::string& folder : {run.checkpoints(), run.best()})
      check(!lies_below(log, folder), "--log-file would write into ", folder,
            "; name another file");
  }
}

}  // namespace regard
