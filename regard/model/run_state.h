#pragma once

#include <string_view>

#include "regard/model/run_folder.h"

namespace regard {

/// How a training stands, as state.json of its folder says: {"schema":1,"state":"running"}.
enum class RunState { running, finished, stopped, diverged, failed, unknown };

std::string_view name(RunState state);

/// Replaces the file in one piece. A disk that refuses is a warning: training does not need it.
void write_run_state(const RunFolder& folder, RunState state);

/// What the file says. A process that was killed leaves "running" behind: that is read as stopped
/// if nobody holds the lock of the run. Unknown if there is no such file, or it cannot be read.
RunState read_run_state(const RunFolder& folder);

}  // namespace regard
