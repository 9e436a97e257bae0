#include "regard/train/metrics.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/log.h"

namespace regard {

MetricsLog::MetricsLog(std::string path, Index bytes)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (file_ < 0) fail(Fault::io, path_, ": cannot be opened for writing: ", std::strerror(errno));
  struct stat status {};
  if (::fstat(file_, &status) != 0 || status.st_size < bytes) {
    ::close(file_);
    fail(Fault::input, path_, ": holds ", status.st_size, " bytes, but the checkpoint knows of ",
         bytes, "; restore the file, or train anew with --fresh");
  }
  if (::ftruncate(file_, bytes) != 0) {
    ::close(file_);
    fail(Fault::io, path_, ": cannot be cut back: ", std::strerror(errno));
  }
}

MetricsLog::~MetricsLog() {
  ::close(file_);
}

void MetricsLog::write(const nlohmann::ordered_json& line) {
  const std::string text = line.dump() + "\n";
  const off_t before = ::lseek(file_, 0, SEEK_END);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      const bool clean = done == 0 || ::ftruncate(file_, before) == 0;
      warn(path_, ": a line of metrics is lost",
           clean ? ": " : ", and half of it stays: ", std::strerror(error));
      return;
    }
    done += static_cast<std::size_t>(count);
  }
}

Index MetricsLog::sync() {
  ::fsync(file_);
  struct stat status {};
  if (::fstat(file_, &status) != 0)
    fail(Fault::io, path_, ": cannot be read: ", std::strerror(errno));
  return status.st_size;
}

}  // namespace regard
