#pragma once

#include <unistd.h>

#include <string>
#include <utility>

namespace regard {

/// A file descriptor that closes itself; the standard streams stay open.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int get() const { return fd_; }
  /// Closes now and says whether that went well: some disks report a failed write only here.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// What to do with a symbolic link as the last part of a path.
enum class Symlinks {
  follow,  ///< the user has named the file, and may name it by a link
  refuse,  ///< the file lies in a folder from outside, and a link may lead anywhere
};

/// Opens a regular file to be read, without waiting for anybody. Throws Error(input) naming the
/// path if there is none, or it is a folder, a pipe, a device, or a link that is refused.
Descriptor open_regular(const std::string& path, Symlinks links);

/// Opens a file that lies in a folder from outside to be read and added to, and makes it where it
/// is missing. Throws Error(input) if it is a link, no regular file, or known by a second name
/// too, which may lie anywhere; Error(io) if it cannot be opened.
Descriptor open_own_file(const std::string& path);

/// Whether the name is taken, be it by a link that leads nowhere. Throws Error(io) if that
/// cannot be found out.
bool is_there(const std::string& path);

}  // namespace regard
