#include "regard/cli/line_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "regard/base/check.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"

namespace regard {
namespace {

constexpr std::size_t kPending = 1 << 16;

std::string part_of(const std::string& path) {
  return path + ".part";
}

int open_part(const std::string& path) {
  if (path == "-") return -1;
  const int file = ::open(part_of(path).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) fail(Fault::io, part_of(path), ": cannot write: ", std::strerror(errno));
  return file;
}

bool is_regular(int descriptor) {
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
}

bool is_empty(int descriptor) {
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && about.st_size == 0;
}

}  // namespace

LineOutput::LineOutput(std::string path, Pace pace)
    : path_(std::move(path)),
      file_(open_part(path_)),
      at_once_(pace == Pace::at_once || (file_ < 0 && !is_regular(STDOUT_FILENO))) {}

LineOutput::~LineOutput() {
  try {
    if (!ended_) keep("ended early");
  } catch (...) {
    // The error to tell is the one that ended the work.
  }
  if (file_ < 0) return;
  if (is_empty(file_)) ::unlink(part_of(path_).c_str());
  ::close(file_);
}

void LineOutput::write(std::string_view text) {
  pending_ += text;
  if (at_once_ || pending_.size() >= kPending) flush();
}

void LineOutput::tell_of_part(std::string_view why) const {
  if (file_ >= 0 && written_ > 0)
    write_error_line(fmt::format("regard: {}; what was done is in {}", why, part_of(path_)));
}

void LineOutput::fail_to_write() {
  const int error = errno;
  ended_ = true;
  tell_of_part("ended early");
  fail(Fault::io, part_of(path_), ": cannot write: ", std::strerror(error));
}

void LineOutput::flush() {
  const std::string text = std::exchange(pending_, {});  // not tried again where it fails
  if (file_ < 0) return write_output(text);
  if (text.empty()) return;
  // Only now: what an earlier run has left there is worth more than nothing.
  if (written_ == 0 && ::ftruncate(file_, 0) != 0) fail_to_write();
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t n = ::write(file_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      const std::string_view done = std::string_view(text).substr(0, text.size() - rest.size());
      written_ += static_cast<off_t>(done.rfind('\n') + 1);  // none: npos + 1 is 0
      if (::ftruncate(file_, written_) != 0) written_ = 0;
      errno = error;
      fail_to_write();
    }
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  written_ += static_cast<off_t>(text.size());
}

void LineOutput::finish() {
  flush();
  if (file_ < 0) return;
  if (written_ == 0 && ::ftruncate(file_, 0) != 0) fail_to_write();
  if (::fsync(file_) != 0 && errno != EINVAL) fail_to_write();
  ended_ = true;
  const std::string part = part_of(path_);
  if (::close(std::exchange(file_, -1)) != 0 || std::rename(part.c_str(), path_.c_str()) != 0)
    fail(Fault::io, path_, ": cannot write: ", std::strerror(errno), "; what was done is in ",
         part);
}

void LineOutput::keep(std::string_view why) {
  ended_ = true;
  flush();
  tell_of_part(why);
}

int LineOutput::end() {
  const int signal = StopSignal::caught();
  if (signal == 0) {
    finish();
    return 0;
  }
  keep("stopped");
  return 128 + signal;
}

}  // namespace regard
