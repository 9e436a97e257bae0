#pragma once

#include <string_view>

#include "regard/base/real.h"
#include "regard/model/run_folder.h"

namespace regard {

enum class RunState { running, finished, stopped, diverged, failed, unknown };

std::string_view name(RunState state);

/// How a training stands, as state.json of its folder says:
/// {"schema":1,"state":"running","total_steps":5850}.
struct RunStatus {
  RunState state = RunState::unknown;
  Index total_steps = 0;   ///< at most; 0: not known, and not in the file
  bool completed = false;  ///< its model has all that is found out after the last step
};

/// Replaces the file in one piece. A disk that refuses is a warning: training does not need it.
void write_run_status(const RunFolder& folder, const RunStatus& status);

/// What the file says. A process that was killed leaves "running" behind: that is read as stopped
/// if nobody holds the lock of the run. Unknown if there is no such file, or it cannot be read.
RunStatus read_run_status(const RunFolder& folder);

}  // namespace regard
