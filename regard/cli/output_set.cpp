#include "regard/cli/output_set.h"

#include <filesystem>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/cli/output_file.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

std::string name_of(const std::string& path) {
  return fs::path(path).filename().string();
}

}  // namespace

OutputSet::OutputSet(const std::vector<std::string>& paths, bool overwrite)
    : overwrite_(overwrite) {
  if (paths.size() < 2) return;
  std::map<std::string, std::vector<std::string>> names;
  for (const std::string& path : paths) names[folder_of(path)].push_back(name_of(path));
  for (const auto& [folder, files] : names) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
      fail(Fault::io, folder, "/", files.front(), ": cannot write: there is no folder ", folder);
    folders_[folder] = std::make_unique<OutputFolder>(folder, files);
  }
}

void OutputSet::write(const std::string& path, std::string_view content) {
  const auto folder = folders_.find(folder_of(path));
  if (folder == folders_.end()) return write_file(path, content, if_there(overwrite_));
  write_file(folder->second->draft() + "/" + name_of(path), content);
}

void OutputSet::publish() {
  for (const auto& [folder, files] : folders_) files->publish(overwrite_);
}

}  // namespace regard
