#include "regard/train/run_folder.h"

#include "regard/base/check.h"
#include "regard/base/open_file.h"
#include "regard/model/model_folder.h"
#include "regard/train/checkpoint/durable.h"

namespace regard {

std::string RunFolder::weights() const {
  return within(kWeightsFile);
}

std::string RunFolder::config() const {
  return within(kConfigFile);
}

std::vector<std::string> RunFolder::content() const {
  return {checkpoints(),
          best(),
          metrics(),
          speed(),
          config(),
          weights(),
          within("joint.tokens"),
          within("source.tokens"),
          within("target.tokens"),
          curves(),
          state(),
          recipe()};
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
    check_kind(path, is_own_folder(path), "folder");
  for (const std::string& path : files()) check_kind(path, is_own_file(path), "file");
}

}  // namespace regard
