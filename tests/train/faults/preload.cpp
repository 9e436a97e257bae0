// Loaded before the C library (LD_PRELOAD): stands between a program and its file calls, and lets
// them fail by plan. Does nothing until armed.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "tests/train/faults/plan.h"

namespace {

using regard::testing::FaultPlan;
using Kind = FaultPlan::Kind;

FaultPlan* plan = nullptr;

template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

[[noreturn]] void crash() {
  ::syscall(SYS_exit_group, regard::testing::kCrashed);
  __builtin_unreachable();
}

bool is_turn() {
  return plan && (plan->calls == plan->at ||
                  (plan->kind == Kind::forever && plan->at > 0 && plan->calls >= plan->at));
}

/// Counts a call; true where it must fail, with errno set.
bool fails(const char* name) {
  if (!plan) return false;
  ++plan->calls;
  if (plan->calls == plan->at) std::strncpy(plan->hit, name, sizeof plan->hit - 1);
  if (!is_turn()) return false;
  if (plan->kind == Kind::crash) crash();
  if (plan->kind != Kind::once && plan->kind != Kind::forever) return false;
  errno = plan->error;
  return true;
}

void note(const char* call, const char* path, const char* other = "") {
  if (!plan || plan->journal < 0) return;
  std::array<char, 3 * PATH_MAX> line;
  const int n = std::snprintf(line.data(), line.size(), "%s %s %s\n", call, path, other);
  ::syscall(SYS_write, plan->journal, line.data(), static_cast<std::size_t>(n));
}

void note_file(const char* call, int file) {
  if (!plan || plan->journal < 0) return;
  std::array<char, 64> link;
  std::array<char, PATH_MAX> path{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", file);
  if (::readlink(link.data(), path.data(), path.size() - 1) > 0) note(call, path.data());
}

int open_at(int folder, const char* path, int flags, mode_t mode) {
  if (fails("open")) return -1;
  const int file = static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
  if (file >= 0 && (flags & O_CREAT)) note("create", path);
  return file;
}

/// As much of a write as the plan lets through.
std::size_t allowed(std::size_t size) {
  const bool halved = is_turn() && (plan->kind == Kind::shorter || plan->kind == Kind::torn);
  return halved && size > 1 ? size / 2 : size;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void arm_faults(FaultPlan* with) {
  plan = with;
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open_at(folder, path, flags, mode);
}

ssize_t write(int file, const void* bytes, size_t size) {
  if (fails("write")) return -1;
  static const auto next = real<ssize_t(int, const void*, size_t)>("write");
  const ssize_t n = next(file, bytes, allowed(size));
  if (is_turn() && plan->kind == Kind::torn) crash();
  note_file("write", file);
  return n;
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  if (fails("pwrite")) return -1;
  static const auto next = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  const ssize_t n = next(file, bytes, allowed(size), at);
  if (is_turn() && plan->kind == Kind::torn) crash();
  note_file("write", file);
  return n;
}

int fsync(int file) {
  if (fails("fsync")) return -1;
  static const auto next = real<int(int)>("fsync");
  const int result = next(file);
  if (result == 0) note_file("fsync", file);
  return result;
}

int close(int file) {
  // It is closed even where it says that it failed, as Linux does.
  const bool failing = fails("close");
  static const auto next = real<int(int)>("close");
  const int error = errno;
  const int result = next(file);
  if (!failing) return result;
  errno = error;
  return -1;
}

int rename(const char* from, const char* to) {
  if (fails("rename")) return -1;
  static const auto next = real<int(const char*, const char*)>("rename");
  const int result = next(from, to);
  if (result == 0) note("rename", from, to);
  return result;
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned int flags) {
  if (fails("renameat2")) return -1;
  static const auto next = real<int(int, const char*, int, const char*, unsigned int)>("renameat2");
  const int result = next(from_folder, from, to_folder, to, flags);
  if (result == 0) note("exchange", from, to);
  return result;
}

int unlink(const char* path) {
  if (fails("unlink")) return -1;
  static const auto next = real<int(const char*)>("unlink");
  const int result = next(path);
  if (result == 0) note("unlink", path);
  return result;
}

int mkdir(const char* path, mode_t mode) {
  if (fails("mkdir")) return -1;
  static const auto next = real<int(const char*, mode_t)>("mkdir");
  const int result = next(path, mode);
  if (result == 0) note("mkdir", path);
  return result;
}

int rmdir(const char* path) {
  if (fails("rmdir")) return -1;
  static const auto next = real<int(const char*)>("rmdir");
  const int result = next(path);
  if (result == 0) note("rmdir", path);
  return result;
}

}  // extern "C"
