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
  const int file =
      ::open(part_of(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) fail(Fault::io, part_of(path), ": cannot write: ", std::strerror(errno));
  return file;
}

bool is_regular(int descriptor) {
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
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
  ::close(file_);
  if (!kept_) ::unlink(part_of(path_).c_str());
}

void LineOutput::write(std::string_view text) {
  pending_ += text;
  if (at_once_ || pending_.size() >= kPending) flush();
}

void LineOutput::fail_to_write(const std::string& path) {
  ended_ = true;
  fail(Fault::io, path, ": cannot write: ", std::strerror(errno));
}

void LineOutput::flush() {
  const std::string text = std::exchange(pending_, {});  // not tried again where it fails
  if (file_ < 0) return write_output(text);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t n = ::write(file_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_to_write(part_of(path_));
    rest.remove_prefix(static_cast<std::size_t>(n));
    holds_ = true;
  }
}

void LineOutput::finish() {
  flush();
  ended_ = true;
  if (file_ < 0) return;
  if (::fsync(file_) != 0 && errno != EINVAL) fail_to_write(part_of(path_));
  if (::close(std::exchange(file_, -1)) != 0) fail_to_write(part_of(path_));
  if (std::rename(part_of(path_).c_str(), path_.c_str()) != 0) fail_to_write(path_);
}

void LineOutput::keep(std::string_view why) {
  ended_ = true;
  flush();
  if (!holds_) return;
  kept_ = true;
  write_error_line(fmt::format("regard: {}; what was done is in {}", why, part_of(path_)));
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
