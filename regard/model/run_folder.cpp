#include "regard/model/run_folder.h"

#include <filesystem>

#include "regard/base/check.h"
#include "regard/base/open_file.h"

namespace regard {

std::vector<std::string> RunFolder::vocabularies() const {
  return {within(kJointTokensFile), within(kSourceTokensFile), within(kTargetTokensFile)};
}

std::vector<std::string> RunFolder::content() const {
  std::vector<std::string> all{checkpoints(), best(),    metrics(), speed(),
                               config(),      weights(), receipt()};
  for (std::string& path : vocabularies()) all.push_back(std::move(path));
  all.insert(all.end(), {curves(), state(), recipe()});
  return all;
}

std::vector<std::string> RunFolder::files() const {
  std::vector<std::string> all = content();
  std::erase_if(all,
                [&](const std::string& path) { return path == checkpoints() || path == best(); });
  all.push_back(lock());
  return all;
}

namespace {

/// Of this type itself, not through a link.
bool is_own(const std::string& path, std::filesystem::file_type type) {
  std::error_code ignored;
  return std::filesystem::symlink_status(path, ignored).type() == type;
}

}  // namespace

void RunFolder::check_own() const {
  const auto check_kind = [](const std::string& path, bool own, const char* kind) {
    if (!own && is_there(path))
      fail(Blame(Fault::input).at(path), path, ": a link or no ", kind, ", expected a ", kind,
           " of the run itself; move it away, or train into another folder");
  };
  for (const std::string& path : {checkpoints(), best()})
    check_kind(path, is_own(path, std::filesystem::file_type::directory), "folder");
  for (const std::string& path : files())
    check_kind(path, is_own(path, std::filesystem::file_type::regular), "file");
}

}  // namespace regard
