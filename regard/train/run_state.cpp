#include "regard/train/run_state.h"

#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/train/run_folder.h"

namespace regard {

std::string_view name(RunState state) {
  switch (state) {
    case RunState::running:
      return "running";
    case RunState::finished:
      return "finished";
    case RunState::stopped:
      return "stopped";
    case RunState::diverged:
      return "diverged";
    case RunState::failed:
      return "failed";
  }
  fail(Fault::bug, "a state without a name");
}

void write_run_state(const std::string& folder, RunState state) {
  const nlohmann::ordered_json content{{"schema", 1}, {"state", name(state)}};
  try {
    write_file(RunFolder(folder).state(), content.dump() + "\n");
  } catch (const Error& error) {
    if (error.fault != Fault::io) throw;
    warn(error.what(), "; the run's state is not noted");
  }
}

}  // namespace regard
