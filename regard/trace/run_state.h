#pragma once

#include <string>

namespace regard {

/// How the training in a folder stands: "running", "finished", "stopped", "diverged" or "failed",
/// as its state.json says; "stopped" too if that says running, but no process holds the folder's
/// lock. "unknown" if there is no such file, or it cannot be read.
std::string run_state(const std::string& folder);

}  // namespace regard
