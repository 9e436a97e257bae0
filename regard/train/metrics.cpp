#include "regard/train/metrics.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/base/system_call.h"

namespace regard {
namespace {

/// Bytes of the whole lines in a file of at most so many bytes.
Index whole_lines(const std::string& path, Index most) {
  const std::string text = read_own_file(path, static_cast<std::size_t>(most));
  const std::size_t end = text.rfind('\n');
  return end == text.npos ? 0 : static_cast<Index>(end) + 1;
}

/// Whether so many bytes of a file end with a line. Throws Error(io) if it cannot be read.
bool end_a_line(int file, Index bytes, const std::string& path) {
  if (bytes == 0) return true;
  char last = 0;
  const ssize_t n = uninterrupted([&] { return ::pread(file, &last, 1, bytes - 1); });
  if (n < 0) fail(Fault::io, path, ": read failed: ", std::strerror(errno));
  return last == '\n';
}

}  // namespace

MetricsLog::MetricsLog(std::string path, Index bytes, bool allow_lost)
    : path_(std::move(path)), file_(open_own_file(path_)) {
  if (const Index there = size(); there < bytes) {
    if (!allow_lost)
      fail(Fault::input, path_, ": holds ", there, " bytes, but the checkpoint says ", bytes,
           "; restore the file, resume without the lost lines with --force, or start over with ",
           "--fresh");
    warn(path_, ": holds ", there, " bytes, but the checkpoint says ", bytes,
         "; the lines between are lost");
    bytes = whole_lines(path_, bytes);
  } else if (!end_a_line(file_.get(), bytes, path_)) {
    fail(Fault::input, path_, ": the checkpoint says ", bytes,
         " bytes, but no line ends there; restore the file, or start over with --fresh");
  }
  if (uninterrupted([&] { return ::ftruncate(file_.get(), bytes); }) != 0)
    fail(Fault::io, path_, ": cannot be cut back: ", std::strerror(errno));
}

bool MetricsLog::write_waiting() {
  const off_t before = ::lseek(file_.get(), 0, SEEK_END);
  const std::size_t done = write_all(file_.get(), waiting_);
  if (done < waiting_.size()) {
    const int error = errno;
    // Who reads the file finds no half line; or else the rest of it waits.
    if (done > 0 && ::ftruncate(file_.get(), before) != 0) waiting_.erase(0, done);
    errno = error;
    return false;
  }
  waiting_.clear();
  return true;
}

void MetricsLog::write(const nlohmann::ordered_json& line) {
  waiting_ += line.dump() + "\n";
  if (!write_waiting())
    warn(path_, ": cannot write, so a line of metrics is kept in memory: ", std::strerror(errno));
}

Index MetricsLog::sync() {
  if (!write_waiting()) fail(Fault::io, path_, ": cannot write: ", std::strerror(errno));
  if (!flush_to_disk(file_.get()))
    fail(Fault::io, path_, ": cannot be flushed: ", std::strerror(errno));
  return size();
}

Index MetricsLog::size() const {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0)
    fail(Fault::io, path_, ": cannot be read: ", std::strerror(errno));
  return status.st_size;
}

}  // namespace regard
