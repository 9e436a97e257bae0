#include "regard/base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "regard/base/check.h"
#include "regard/base/system_call.h"

namespace regard {
namespace {

/// The path up to its last name, with the slash; empty if there is none.
std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

/// Waits a little for the other end of a pipe, and makes reading it wait for its data.
void await_writer(int fd, const std::string& path) {
  constexpr int kPatience = 2000;  // milliseconds
  pollfd end{.fd = fd, .events = POLLIN, .revents = 0};
  if (::poll(&end, 1, kPatience) == 0)
    fail(Fault::input, path, ": nobody writes to this pipe; start the writer first");
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
}

std::string read_all(int file, const std::string& path, std::size_t limit) {
  constexpr std::size_t kPiece = 1 << 16;
  std::string content;
  for (std::size_t size = 0;;) {
    content.resize(size + kPiece);
    const ssize_t n = uninterrupted([&] { return ::read(file, content.data() + size, kPiece); });
    if (n < 0) fail(Blame(Fault::io).at(path), path, ": read failed: ", std::strerror(errno));
    size += static_cast<std::size_t>(n);
    if (size > limit)
      fail(Blame(Fault::input).at(path), path, ": larger than the limit of ", limit, " bytes");
    if (n == 0) {
      content.resize(size);
      return content;
    }
  }
}

/// A new file under the pattern's name, its last six letters filled in. Not by mkostemp, whose
/// files have other rights than new ones have, and to ask which those are changes them for all
/// threads.
Descriptor create_temporary(std::string& pattern) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr std::size_t kFilled = 6;
  constexpr int kMaxTries = 1000;
  Descriptor file;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    std::array<unsigned char, kFilled> drawn;
    if (::getrandom(drawn.data(), drawn.size(), 0) != kFilled) break;
    for (std::size_t i = 0; i < kFilled; ++i)
      pattern[pattern.size() - kFilled + i] = kLetters[drawn[i] % kLetters.size()];
    file = Descriptor(open_path(pattern, O_WRONLY | O_CREAT | O_EXCL));
    if (file.get() >= 0 || errno != EEXIST) break;
  }
  return file;
}

/// Renames, but never onto a name that is taken. False, with errno set, where that fails.
bool rename_to_free_name(const char* from, const char* to) {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return false;
  // A file system that knows no such renaming: a second name cannot be one that is taken either.
  if (::link(from, to) == 0) {
    ::unlink(from);
    return true;
  }
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return false;
  // Nor second names: looked at and renamed is all there is.
  struct stat about {};
  if (::lstat(to, &about) == 0) {
    errno = EEXIST;
    return false;
  }
  return errno == ENOENT && ::rename(from, to) == 0;
}

bool rename_file(const std::string& from, const std::string& to, IfThere there) {
  return there == IfThere::replace ? ::rename(from.c_str(), to.c_str()) == 0
                                   : rename_to_free_name(from.c_str(), to.c_str());
}

std::string why_not(int error, IfThere there) {
  if (error == EEXIST && there == IfThere::refuse)
    return "another program has put a file there meanwhile";
  return std::strerror(error);
}

/// Why no file could be made at a path.
std::string why_not_made(int error, const std::string& path) {
  const std::string folder = folder_of(path);
  if (error == ENOENT && !folder.empty()) return "there is no folder " + folder;
  return std::strerror(error);
}

/// The new name survives a loss of power, where the file system can promise that.
void flush_folder_of(const std::string& path) {
  const std::string folder = folder_of(path);
  const Descriptor opened(open_path(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY));
  if (opened.get() >= 0) flush_to_disk(opened.get());
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  const bool standard = path == "-";
  struct stat about {};
  // Looked at before it is opened: opening a device can do things of its own.
  if (!standard && ::stat(path.c_str(), &about) != 0)
    fail(Blame(Fault::input).at(path), path, ": cannot open: ", std::strerror(errno));
  if (!standard && !S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode))
    fail(Blame(Fault::input).at(path), path, ": not a regular file");
  const Descriptor file(standard ? STDIN_FILENO : open_path(path, O_RDONLY | O_NONBLOCK));
  if (file.get() < 0)
    fail(Blame(Fault::input).at(path), path, ": cannot open: ", std::strerror(errno));
  if (S_ISFIFO(about.st_mode)) await_writer(file.get(), path);

  return read_all(file.get(), path, limit);
}

std::string read_own_file(const std::string& path, std::size_t limit) {
  const Descriptor file = open_regular(path, Symlinks::refuse);
  return read_all(file.get(), path, limit);
}

void write_file(const std::string& path, std::string_view content, IfThere there) {
  // A short name of its own beside the final one: no length limit is met, and no two writers meet.
  std::string temporary = folder_of(path) + ".regard-XXXXXX";
  Descriptor file = create_temporary(temporary);
  if (file.get() < 0) fail(Fault::io, path, ": cannot write: ", why_not_made(errno, path));
  const bool whole = write_all(file.get(), content) == content.size() &&
                     flush_to_disk(file.get()) && file.close() &&
                     rename_file(temporary, path, there);
  if (whole) return flush_folder_of(path);
  const int error = errno;
  ::unlink(temporary.c_str());
  fail(Fault::io, path, ": cannot write: ", why_not(error, there));
}

Descriptor create_file(std::string& name) {
  Descriptor file(open_path(name, O_WRONLY | O_CREAT | O_EXCL));
  if (file.get() < 0 && errno == EEXIST) {
    std::string other = name + "-XXXXXX";
    file = create_temporary(other);
    if (file.get() >= 0) name = other;
  }
  if (file.get() < 0) fail(Fault::io, name, ": cannot write: ", why_not_made(errno, name));
  return file;
}

void name_file(const std::string& from, const std::string& to, IfThere there) {
  if (!rename_file(from, to, there)) fail(Fault::io, to, ": cannot write: ", why_not(errno, there));
  flush_folder_of(to);
}

}  // namespace regard
