#include "tests/train/faults/turn.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace regard::testing {
namespace {

constexpr std::string_view kUsual =
    "open write pwrite fsync close rename renameat2 unlink mkdir rmdir";

/// A word of a list with spaces between. Takes no memory: malloc asks too.
bool is_among(std::string_view name, std::string_view list) {
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(' '));
    if (word == name) return true;
    list.remove_prefix(word.size() == list.size() ? word.size() : word.size() + 1);
  }
  return false;
}

/// A program finds its plan in a file, without a word of its own.
[[gnu::constructor]] void arm_from_environment() {
  const char* path = std::getenv(kPlanVariable);
  if (!path) return;
  const int file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0));
  void* shared = reinterpret_cast<void*>(
      ::syscall(SYS_mmap, nullptr, sizeof(FaultPlan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  ::syscall(SYS_close, file);
  if (file < 0 || shared == MAP_FAILED) std::abort();
  ::alarm(kPatienceSeconds);
  plan = static_cast<FaultPlan*>(shared);
}

}  // namespace

FaultPlan* plan = nullptr;

void crash() {
  ::syscall(SYS_exit_group, kCrashed);
  __builtin_unreachable();
}

Turn next_turn(const char* name) {
  using Kind = FaultPlan::Kind;
  if (!plan || !is_among(name, plan->only[0] ? plan->only : kUsual)) return Turn::passes;
  const int call = __atomic_add_fetch(&plan->calls, 1, __ATOMIC_RELAXED);
  if (call == plan->at) std::strncpy(plan->hit, name, sizeof plan->hit - 1);
  const bool later = plan->kind == Kind::forever && plan->at > 0 && call > plan->at;
  if (call != plan->at && !later) return Turn::passes;
  switch (plan->kind) {
    case Kind::none:
      return Turn::passes;
    case Kind::crash:
      crash();
    case Kind::torn:
    case Kind::shorter:
      return Turn::halved;
    case Kind::once:
    case Kind::forever:
      break;
  }
  errno = plan->error;
  return Turn::fails;
}

}  // namespace regard::testing

extern "C" void arm_faults(regard::testing::FaultPlan* with) {
  regard::testing::plan = with;
}
