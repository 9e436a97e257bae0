#include "regard/base/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "regard/base/check.h"
#include "regard/base/system_call.h"

namespace regard {
namespace {

void check_regular(int status, const struct stat& about, const std::string& path) {
  if (status != 0)
    fail(Blame(Fault::input).at(path), path, ": cannot open: ", std::strerror(errno));
  if (S_ISLNK(about.st_mode))
    fail(Blame(Fault::input).at(path), path,
         ": a symbolic link, expected a file of the folder itself; put a copy in its place");
  if (!S_ISREG(about.st_mode)) fail(Blame(Fault::input).at(path), path, ": not a regular file");
}

/// A file that is changed in place must have no name elsewhere.
void check_single(const struct stat& about, const std::string& path) {
  if (about.st_nlink > 1)
    fail(Blame(Fault::input).at(path), path,
         ": has a second name (a hard link), under which it would change too; put a copy in its ",
         "place");
}

}  // namespace

Descriptor open_regular(const std::string& path, Symlinks links) {
  const bool follow = links == Symlinks::follow;
  struct stat about {};
  // Looked at before it is opened, for opening a device can do things of its own; and after, for
  // another file may have taken its place.
  check_regular((follow ? ::stat : ::lstat)(path.c_str(), &about), about, path);
  Descriptor file(open_path(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)));
  if (file.get() < 0)
    fail(Blame(Fault::input).at(path), path, ": cannot open: ", std::strerror(errno));
  check_regular(::fstat(file.get(), &about), about, path);
  return file;
}

Descriptor open_own_file(const std::string& path) {
  struct stat about {};
  if (is_there(path)) check_regular(::lstat(path.c_str(), &about), about, path);
  Descriptor file(open_path(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK));
  if (file.get() < 0) fail(Fault::io, path, ": cannot open: ", std::strerror(errno));
  check_regular(::fstat(file.get(), &about), about, path);
  check_single(about, path);
  return file;
}

bool is_there(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) == 0) return true;
  if (errno != ENOENT && errno != ENOTDIR)
    fail(Fault::io, path, ": cannot be looked at: ", std::strerror(errno));
  return false;
}

}  // namespace regard
