#pragma once

#include <string>
#include <string_view>

namespace regard {

/// How a training stands, as state.json of its folder says: {"schema":1,"state":"running"}.
/// A process that was killed leaves "running" behind; whether one is at it, the lock says.
enum class RunState { running, finished, stopped, diverged, failed };

std::string_view name(RunState state);

/// Replaces the file in one piece. A disk that refuses is a warning: training does not need it.
void write_run_state(const std::string& folder, RunState state);

}  // namespace regard
