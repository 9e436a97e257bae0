#include "regard/cli/line_output.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/system_call.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr std::size_t kPending = 1 << 16;

bool is_regular(int descriptor) {
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
}

bool is_empty(int descriptor) {
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && about.st_size == 0;
}

}  // namespace

LineOutput::LineOutput(std::string path, IfThere there, Pace pace)
    : path_(std::move(path)),
      part_(path_ + ".part"),
      there_(there),
      file_(path_ == "-" ? Descriptor() : create_file(part_)),
      at_once_(pace == Pace::at_once || (!has_file() && !is_regular(STDOUT_FILENO))) {}

LineOutput::~LineOutput() {
  try {
    if (!ended_) keep("ended early");
  } catch (...) {
    // The error to tell is the one that ended the work.
  }
  if (has_file() && is_empty(file_.get())) ::unlink(part_.c_str());
}

void LineOutput::write(std::string_view text) {
  pending_ += text;
  if (at_once_ || pending_.size() >= kPending) flush();
}

void LineOutput::tell_of_part(std::string_view why) const {
  if (has_file() && written_ > 0)
    write_error_line(fmt::format("regard: {}; what was done is in {}", why, visible(part_)));
}

void LineOutput::fail_to_write() {
  const int error = errno;
  ended_ = true;
  tell_of_part("ended early");
  fail(Fault::io, part_, ": cannot write: ", std::strerror(error));
}

void LineOutput::flush() {
  const std::string text = std::exchange(pending_, {});  // not tried again if it fails
  if (!has_file()) return write_output(text);
  const std::size_t done = write_all(file_.get(), text);
  if (done < text.size()) {
    const int error = errno;
    const std::size_t end = std::string_view(text).substr(0, done).rfind('\n') + 1;  // none: 0
    written_ += static_cast<off_t>(end);
    if (::ftruncate(file_.get(), written_) != 0) written_ = 0;
    errno = error;
    fail_to_write();
  }
  written_ += static_cast<off_t>(text.size());
}

void LineOutput::finish() {
  flush();
  if (!has_file()) return;
  if (!flush_to_disk(file_.get()) && errno != EINVAL) fail_to_write();
  ended_ = true;
  if (!file_.close()) fail(Fault::io, part_, ": cannot write: ", std::strerror(errno));
  try {
    name_file(part_, path_, there_);
  } catch (const Error& problem) {
    fail(problem.fault, problem.what(), "; what was done is in ", part_);
  }
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
