#include "regard/trace/run_state.h"

#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/open_file.h"
#include "regard/base/system_call.h"
#include "regard/config/json.h"

namespace regard {
namespace {

/// Shares the lock for a moment; who wants it alone meanwhile tries again.
bool is_locked(const std::string& path) {
  if (!is_there(path)) return false;
  const Descriptor file = open_regular(path, Symlinks::refuse);
  return uninterrupted([&] { return ::flock(file.get(), LOCK_SH | LOCK_NB); }) != 0 &&
         errno == EWOULDBLOCK;
}

}  // namespace

std::string run_state(const std::string& folder) {
  constexpr std::size_t kMaxSize = 4096;
  constexpr std::string_view kStates[]{"running", "finished", "stopped", "diverged", "failed"};
  const std::string path = folder + "/state.json";
  try {
    if (!is_there(path)) return "unknown";
    const auto content = parse_json(read_own_file(path, kMaxSize), path);
    const std::string state = content.value("state", "");
    if (std::ranges::find(kStates, state) == std::end(kStates)) return "unknown";
    return state == "running" && !is_locked(folder + "/lock") ? "stopped" : state;
  } catch (const std::exception&) {
    return "unknown";
  }
}

}  // namespace regard
