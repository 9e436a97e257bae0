#pragma once

#include <iosfwd>
#include <optional>
#include <string>

namespace regard {

/// Cores that this process may keep busy: those it may run on, and no more than the quota of its
/// control group, as a container has one, allows. At least 1.
int core_count();

/// The quota of a control group or of one above it, in cores; nothing if there is none.
/// `membership` is what /proc/self/cgroup says, and `root` where the groups are mounted.
std::optional<double> core_quota(std::istream& membership, const std::string& root);

}  // namespace regard
