#include "regard/model/run_state.h"

#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/base/open_file.h"
#include "regard/base/system_call.h"
#include "regard/config/json.h"

namespace regard {
namespace {

constexpr std::string_view kNames[]{"running",  "finished", "stopped",
                                    "diverged", "failed",   "unknown"};

/// Shares the lock for a moment; who wants it alone meanwhile tries again.
bool is_locked(const std::string& path) {
  if (!is_there(path)) return false;
  const Descriptor file = open_regular(path, Symlinks::refuse);
  return uninterrupted([&] { return ::flock(file.get(), LOCK_SH | LOCK_NB); }) != 0 &&
         errno == EWOULDBLOCK;
}

}  // namespace

std::string_view name(RunState state) {
  return kNames[static_cast<std::size_t>(state)];
}

void write_run_state(const RunFolder& folder, RunState state) {
  const nlohmann::ordered_json content{{"schema", 1}, {"state", name(state)}};
  try {
    write_file(folder.state(), content.dump() + "\n");
  } catch (const Error& error) {
    if (error.fault != Fault::io) throw;
    warn(error.what(), "; the run's state is not noted");
  }
}

RunState read_run_state(const RunFolder& folder) {
  constexpr std::size_t kMaxSize = 4096;
  try {
    if (!is_there(folder.state())) return RunState::unknown;
    const auto content = parse_json(read_own_file(folder.state(), kMaxSize), folder.state());
    const auto* found = std::ranges::find(kNames, content.value("state", ""));
    if (found == std::end(kNames)) return RunState::unknown;
    const auto state = static_cast<RunState>(found - std::begin(kNames));
    return state == RunState::running && !is_locked(folder.lock()) ? RunState::stopped : state;
  } catch (const std::exception&) {
    return RunState::unknown;
  }
}

}  // namespace regard
