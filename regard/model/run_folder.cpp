#include "regard/model/run_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "regard/base/check.h"
#include "regard/base/open_file.h"

namespace regard {
namespace {

constexpr std::string_view kStepPrefix = "step-", kStepSuffix = ".safetensors";

std::string best_name(Index step) {
  return std::string(kStepPrefix) + std::to_string(step) + std::string(kStepSuffix);
}

/// The step of a file called as best_name does, and of no other.
std::optional<Index> step_of(const std::string& name) {
  Index step = 0;
  if (!name.starts_with(kStepPrefix)) return {};
  std::from_chars(name.data() + kStepPrefix.size(), name.data() + name.size(), step);
  return best_name(step) == name && step >= 0 ? std::optional(step) : std::nullopt;
}

/// Of this type itself, not through a link.
bool is_own(const std::string& path, std::filesystem::file_type type) {
  std::error_code ignored;
  return std::filesystem::symlink_status(path, ignored).type() == type;
}

}  // namespace

std::string RunFolder::best_step(Index step) const {
  return best() + "/" + best_name(step);
}

std::vector<Index> RunFolder::best_steps(std::error_code& error) const {
  std::vector<Index> steps;
  std::filesystem::directory_iterator it(best(), error);
  for (; !error && it != std::filesystem::directory_iterator(); it.increment(error))
    if (const auto step = step_of(it->path().filename())) steps.push_back(*step);
  if (error) steps.clear();  // it may have come in the middle
  std::ranges::sort(steps);
  return steps;
}

std::vector<std::string> RunFolder::vocabularies() const {
  return {within(kJointTokensFile), within(kSourceTokensFile), within(kTargetTokensFile)};
}

std::vector<std::string> RunFolder::content() const {
  std::vector<std::string> all{checkpoints(), best(),    metrics(), speed(),
                               config(),      weights(), receipt(), examples()};
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
