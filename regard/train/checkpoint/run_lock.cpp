#include "regard/train/checkpoint/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "regard/base/check.h"
#include "regard/train/checkpoint/durable.h"

namespace regard {
namespace {

/// Who the lock file says holds it; it may not have got round to writing that.
std::string holder(int file) {
  std::array<char, 20> text{};
  const ssize_t n = ::pread(file, text.data(), text.size(), 0);
  const std::string pid(text.data(),
                        std::find_if(text.begin(), text.begin() + std::max<ssize_t>(n, 0),
                                     [](char c) { return c < '0' || c > '9'; }));
  return pid.empty() ? "another process" : "process " + pid;
}

}  // namespace

RunLock::RunLock(const std::string& folder) : file_(-1) {
  make_folder(folder);
  const std::string path = folder + "/lock";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (file_ < 0) fail(Fault::io, path, ": cannot open: ", std::strerror(errno));

  while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    const int error = errno;
    const std::string who = holder(file_);
    ::close(file_);
    if (error == EWOULDBLOCK)
      fail(Fault::usage, folder, ": ", who,
           " is training here; wait until it ends, or train into another folder");
    fail(Fault::io, path, ": cannot lock: ", std::strerror(error));
  }
  // Only for the message above: the lock holds whether or not this can be written.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file_, 0) == 0) (void)!::pwrite(file_, pid.data(), pid.size(), 0);
}

RunLock::~RunLock() {
  // Not unlinked: somebody may have opened it already, and would then lock a file without a name.
  (void)!::ftruncate(file_, 0);
  ::close(file_);
}

}  // namespace regard
