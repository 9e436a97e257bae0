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

/// 0 where it is missing, or no number of steps.
Index total_steps_in(const nlohmann::json& content) {
  constexpr Index kMaxSteps = 1'000'000'000'000'000;  // a double holds it exactly
  const auto found = content.find("total_steps");
  if (found == content.end() || !found->is_number_unsigned()) return 0;
  const auto steps = found->get<std::uint64_t>();
  return steps <= static_cast<std::uint64_t>(kMaxSteps) ? static_cast<Index>(steps) : 0;
}

}  // namespace

std::string_view name(RunState state) {
  return kNames[static_cast<std::size_t>(state)];
}

void write_run_status(const RunFolder& folder, const RunStatus& status) {
  nlohmann::ordered_json content{{"schema", 1}, {"state", name(status.state)}};
  if (status.total_steps > 0) content["total_steps"] = status.total_steps;
  if (status.completed) content["completed"] = true;
  try {
    write_file(folder.state(), content.dump() + "\n");
  } catch (const Error& error) {
    if (error.fault != Fault::io) throw;
    warn(error.what(), "; the run's state is not noted");
  }
}

RunStatus read_run_status(const RunFolder& folder) {
  constexpr std::size_t kMaxSize = 4096;
  try {
    if (!is_there(folder.state())) return {};
    const auto content = parse_json(read_own_file(folder.state(), kMaxSize), folder.state());
    const auto* found = std::ranges::find(kNames, content.value("state", ""));
    if (found == std::end(kNames)) return {};
    RunStatus status{.state = static_cast<RunState>(found - std::begin(kNames)),
                     .total_steps = total_steps_in(content),
                     .completed = content.value("completed", nlohmann::json()) == true};
    if (status.state == RunState::running && !is_locked(folder.lock()))
      status.state = RunState::stopped;
    return status;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace regard
