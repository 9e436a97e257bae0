#include "regard/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  /// Closes now and says whether that went well: some disks report a failed write only here.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  const bool standard = path == "-";
  // O_NONBLOCK: opening a pipe that nobody writes to must not hang before we have looked at it.
  const Descriptor file(standard ? STDIN_FILENO
                                 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail(Fault::input, path, ": cannot open: ", std::strerror(errno));
  struct stat about {};
  if (fstat(file.get(), &about) != 0) fail(Fault::io, path, ": ", std::strerror(errno));
  if (!standard && !S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode))
    fail(Fault::input, path, ": not a regular file");
  if (!standard) fcntl(file.get(), F_SETFL, fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);

  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(Fault::io, path, ": read failed: ", std::strerror(errno));
    if (n == 0) return content;
    content.append(buffer, static_cast<std::size_t>(n));
    if (content.size() > limit)
      fail(Fault::input, path, ": larger than the limit of ", limit, " bytes");
  }
}

void write_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".tmp-" + std::to_string(getpid());
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) fail(Fault::io, path, ": cannot write: ", std::strerror(errno));
  const bool whole = write_all(file.get(), content) && fsync(file.get()) == 0 && file.close() &&
                     ::rename(temporary.c_str(), path.c_str()) == 0;
  if (whole) return;
  const int error = errno;
  ::unlink(temporary.c_str());
  fail(Fault::io, path, ": cannot write: ", std::strerror(error));
}

}  // namespace regard
