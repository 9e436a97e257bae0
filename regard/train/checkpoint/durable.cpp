#include "regard/train/checkpoint/durable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>

#include "regard/base/check.h"
#include "regard/base/system_call.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void io_error(const std::string& path, const char* what, int error) {
  fail(Fault::io, path, ": ", what, ": ", std::strerror(error));
}

/// 0, or what went wrong. A file system may tell of a failed write only when the file is closed.
int close_error(int file) {
  return ::close(file) == 0 || errno == EINTR ? 0 : errno;  // Linux has closed it either way
}

mode_t kind(const std::string& path) {
  struct stat about {};
  return ::lstat(path.c_str(), &about) == 0 ? about.st_mode & S_IFMT : 0;
}

std::string parent(const std::string& path) {
  const std::string above = fs::path(path).parent_path();
  return above.empty() ? "." : above;
}

}  // namespace

std::vector<std::string> make_folder(const std::string& path) {
  std::error_code ignored;
  if (path.empty() || fs::is_directory(path, ignored)) return {};
  std::vector<std::string> made = make_folder(fs::path(path).parent_path());
  try {
    if (::mkdir(path.c_str(), 0777) == 0) {
      made.push_back(path);
      flush_folder(parent(path));
      return made;
    }
    const int error = errno;
    if (error != EEXIST || !fs::is_directory(path, ignored))
      io_error(path, "cannot make the folder", error);
    return made;
  } catch (...) {
    for (auto each = made.rbegin(); each != made.rend(); ++each) ::rmdir(each->c_str());
    throw;
  }
}

void make_own_folder(const std::string& path) {
  make_folder(path);
  if (!is_own_folder(path)) fail(Fault::io, path, ": a link is in the way; remove it");
}

std::vector<std::string> names_in(const std::string& folder, std::error_code& error) {
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename());
  if (error == std::errc::no_such_file_or_directory) error.clear();
  return names;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names = names_in(folder, error);
  if (error) fail(Fault::io, folder, ": cannot list the folder: ", error.message());
  return names;
}

void write_flushed(const std::string& path, std::string_view content) {
  // O_EXCL follows no link that somebody may have put there.
  const auto create = [&] { return open_path(path, O_WRONLY | O_CREAT | O_EXCL); };
  int file = create();
  if (file < 0 && errno == EEXIST && remove_path(path)) file = create();
  if (file < 0) io_error(path, "cannot write", errno);

  const bool written = write_all(file, content) == content.size() && flush_to_disk(file);
  int error = written ? 0 : errno;
  const int closing = close_error(file);
  if (error == 0) error = closing;
  if (error == 0) return;
  remove_path(path);
  io_error(path, "cannot write", error);
}

void flush_folder(const std::string& path) {
  const int folder = open_path(path, O_RDONLY | O_DIRECTORY);
  if (folder < 0) io_error(path, "cannot open the folder", errno);
  const int error = flush_to_disk(folder) ? 0 : errno;
  ::close(folder);
  // EINVAL: a file system that has no such thing; what it promises is all there is.
  if (error != 0 && error != EINVAL) io_error(path, "cannot flush the folder", error);
}

void rename_path(const std::string& from, const std::string& to) {
  if (uninterrupted([&] { return ::rename(from.c_str(), to.c_str()); }) != 0)
    io_error(to, "cannot rename to it", errno);
}

bool exchange_paths(const std::string& one, const std::string& other) {
  const int done = uninterrupted(
      [&] { return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE); });
  if (done != 0 && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
    io_error(other, "cannot replace it", errno);
  return done == 0;
}

bool remove_path(const std::string& path) {
  if (kind(path) != S_IFDIR) return ::unlink(path.c_str()) == 0 || errno == ENOENT;
  std::error_code ignored;
  for (const std::string& name : names_in(path, ignored)) ::unlink((path + "/" + name).c_str());
  return ::rmdir(path.c_str()) == 0;
}

bool is_own_folder(const std::string& path) {
  return kind(path) == S_IFDIR;
}

bool is_own_file(const std::string& path) {
  return kind(path) == S_IFREG;
}

Index file_size(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0)
    fail(Fault::input, path, ": cannot open: ", std::strerror(errno));
  if (!S_ISREG(about.st_mode)) fail(Fault::input, path, ": not a regular file");
  return about.st_size;
}

Index free_space(const std::string& folder) {
  struct statvfs about {};
  if (uninterrupted([&] { return ::statvfs(folder.c_str(), &about); }) != 0)
    io_error(folder, "cannot ask for the free space", errno);
  const double bytes = static_cast<double>(about.f_bavail) * static_cast<double>(about.f_frsize);
  return bytes < 9e18 ? static_cast<Index>(bytes) : std::numeric_limits<Index>::max();
}

}  // namespace regard
