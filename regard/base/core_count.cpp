#include "regard/base/core_count.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace regard {
namespace {

constexpr const char* kGroups = "/sys/fs/cgroup";

/// Version 2: "QUOTA PERIOD" in one file, or the word "max" for no quota.
std::optional<double> unified_quota(const std::string& folder) {
  double quota = 0, period = 0;
  if (std::ifstream(folder + "/cpu.max") >> quota >> period && quota > 0 && period > 0)
    return quota / period;
  return std::nullopt;
}

/// Version 1: a file each, and -1 for no quota.
std::optional<double> separate_quota(const std::string& folder) {
  double quota = 0, period = 0;
  if (std::ifstream(folder + "/cpu.cfs_quota_us") >> quota && quota > 0 &&
      std::ifstream(folder + "/cpu.cfs_period_us") >> period && period > 0)
    return quota / period;
  return std::nullopt;
}

/// The smallest quota of the group and of those above it. Inside a container the group's own path
/// may be that of the host, which is not there: the last one looked at is the root.
void bound(std::optional<double>& cores, const std::string& root, std::string group,
           std::optional<double> (*quota_of)(const std::string&)) {
  for (;;) {
    if (const std::optional<double> quota = quota_of(root + group))
      cores = cores ? std::min(*cores, *quota) : *quota;
    const std::size_t slash = group.rfind('/');
    if (slash == group.npos) return;
    group.erase(slash);
  }
}

}  // namespace

std::optional<double> core_quota(std::istream& membership, const std::string& root) {
  std::optional<double> cores;
  for (std::string line; std::getline(membership, line);) {  // "NUMBER:CONTROLLERS:/GROUP"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty())
      bound(cores, root, group, unified_quota);
    else if (("," + controllers + ",").find(",cpu,") != std::string::npos)
      bound(cores, root + "/" + controllers, group, separate_quota);
  }
  return cores;
}

int core_count() {
  cpu_set_t allowed;
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const int cores = known ? std::max(CPU_COUNT(&allowed), 1) : 1;
  std::ifstream membership("/proc/self/cgroup");
  const std::optional<double> quota = core_quota(membership, kGroups);
  if (!quota || *quota >= cores) return cores;
  return std::max(static_cast<int>(std::ceil(*quota)), 1);
}

}  // namespace regard
