#pragma once

#include <cstdint>
#include <optional>

namespace regard {

/// Bytes this process can still be given, as far as the system says: free memory and swap, and the
/// limits set for the process or for the group it runs in. Nothing if it says nothing.
std::optional<std::uint64_t> memory_left();

/// Throws Error(device), naming both, if `what` needs more bytes than are left; `advice` says
/// how to need less. Asked before they are taken, since a system that gives out more than it has
/// ends the process without a word.
void check_memory(const char* what, double bytes, const char* advice);

}  // namespace regard
