// Loaded before the C library (LD_PRELOAD): stands between a program and its file calls, and lets
// them fail by plan. Does nothing until armed.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>

#include "tests/train/faults/turn.h"

namespace {

using namespace regard::testing;
using Kind = FaultPlan::Kind;

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

/// As much of a write or a read as the plan lets through.
std::size_t allowed(Turn turn, std::size_t size) {
  return turn == Turn::halved && size > 1 ? size / 2 : size;
}

/// Standard error is where a fault is told; it never fails.
Turn turn_of_write(const char* name, int file) {
  return file == STDERR_FILENO ? Turn::passes : next_turn(name);
}

}  // namespace

extern "C" {

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

int mkostemp(char* name, int flags) {
  if (fails("open")) return -1;
  static const auto next = real<int(char*, int)>("mkostemp");
  const int file = next(name, flags);
  if (file >= 0) note("create", name);
  return file;
}

char* mkdtemp(char* name) {
  if (fails("mkdir")) return nullptr;
  static const auto next = real<char*(char*)>("mkdtemp");
  char* made = next(name);
  if (made) note("mkdir", name);
  return made;
}

ssize_t write(int file, const void* bytes, size_t size) {
  const Turn turn = turn_of_write("write", file);
  if (turn == Turn::fails) return -1;
  static const auto next = real<ssize_t(int, const void*, size_t)>("write");
  const ssize_t n = next(file, bytes, allowed(turn, size));
  if (turn == Turn::halved && plan->kind == Kind::torn) crash();
  note_file("write", file);
  return n;
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  const Turn turn = next_turn("pwrite");
  if (turn == Turn::fails) return -1;
  static const auto next = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  const ssize_t n = next(file, bytes, allowed(turn, size), at);
  if (turn == Turn::halved && plan->kind == Kind::torn) crash();
  note_file("write", file);
  return n;
}

ssize_t read(int file, void* bytes, size_t size) {
  const Turn turn = next_turn("read");
  if (turn == Turn::fails) return -1;
  static const auto next = real<ssize_t(int, void*, size_t)>("read");
  return next(file, bytes, allowed(turn, size));
}

ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  const Turn turn = next_turn("pread");
  if (turn == Turn::fails) return -1;
  static const auto next = real<ssize_t(int, void*, size_t, off_t)>("pread");
  return next(file, bytes, allowed(turn, size), at);
}

int ftruncate(int file, off_t size) {
  if (fails("ftruncate")) return -1;
  static const auto next = real<int(int, off_t)>("ftruncate");
  return next(file, size);
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

int link(const char* from, const char* to) {
  if (fails("link")) return -1;
  static const auto next = real<int(const char*, const char*)>("link");
  return next(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (fails("linkat")) return -1;
  static const auto next = real<int(int, const char*, int, const char*, int)>("linkat");
  return next(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char* path, int flags) {
  if (fails("unlinkat")) return -1;
  static const auto next = real<int(int, const char*, int)>("unlinkat");
  return next(folder, path, flags);
}

int stat(const char* path, struct stat* about) {
  if (fails("stat")) return -1;
  static const auto next = real<int(const char*, struct stat*)>("stat");
  return next(path, about);
}

int lstat(const char* path, struct stat* about) {
  if (fails("lstat")) return -1;
  static const auto next = real<int(const char*, struct stat*)>("lstat");
  return next(path, about);
}

int fstat(int file, struct stat* about) {
  if (fails("fstat")) return -1;
  static const auto next = real<int(int, struct stat*)>("fstat");
  return next(file, about);
}

}  // extern "C"
