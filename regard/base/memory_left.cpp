#include "regard/base/memory_left.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "regard/base/check.h"

namespace regard {
namespace {

/// The smaller of two, where there are two.
void bound(std::optional<std::uint64_t>& left, std::uint64_t by) {
  left = left ? std::min(*left, by) : by;
}

std::uint64_t less(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

/// What the machine as a whole has left.
void bound_by_machine(std::optional<std::uint64_t>& left) {
  std::ifstream about("/proc/meminfo");
  std::uint64_t available = 0, swap = 0;
  bool known = false;
  for (std::string name, unit; about >> name;) {
    std::uint64_t kibibytes = 0;
    if (!(about >> kibibytes)) return;
    std::getline(about, unit);
    if (name == "MemAvailable:") {
      available = kibibytes << 10;
      known = true;
    }
    if (name == "SwapFree:") swap = kibibytes << 10;
  }
  if (known) bound(left, available + swap);
}

/// Pages of address space, and of those in memory, that this process has.
struct Pages {
  std::uint64_t all = 0, resident = 0;
};

Pages own_pages() {
  Pages pages;
  std::ifstream("/proc/self/statm") >> pages.all >> pages.resident;
  return pages;
}

/// The limit of a container. What others in it use is not counted: much of that is cache, which
/// makes way.
void bound_by_group(std::optional<std::uint64_t>& left, std::uint64_t resident) {
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t limit = 0;
    if (std::ifstream(path) >> limit) bound(left, less(limit, resident));  // or the word "max"
  }
}

}  // namespace

std::optional<std::uint64_t> memory_left() {
  std::optional<std::uint64_t> left;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const Pages own = own_pages();
  bound_by_machine(left);
  bound_by_group(left, own.resident * page);
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    bound(left, less(space.rlim_cur, own.all * page));
  return left;
}

void check_memory(const char* what, double bytes, const char* advice) {
  const std::optional<std::uint64_t> left = memory_left();
  if (!left || bytes <= static_cast<double>(*left)) return;
  constexpr double kMebi = 1 << 20;
  fail(Fault::device, "out of memory: ", what, " needs at least ",
       static_cast<std::uint64_t>(bytes / kMebi) + 1, " MiB, and ",
       static_cast<std::uint64_t>(static_cast<double>(*left) / kMebi), " MiB are left; ", advice);
}

}  // namespace regard
