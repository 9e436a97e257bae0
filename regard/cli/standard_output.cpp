#include "regard/cli/standard_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/system_call.h"

namespace regard {
namespace {

int copy_of_errors = -1;

}  // namespace

void prepare_standard_streams() {
  // Opened the wrong way round on purpose: reading or writing a stream the caller closed must still
  // fail. open() takes the lowest free number, so the order of the loop matters.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) [[maybe_unused]]
      const int descriptor = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is then an error like a full disk
}

void write_output(std::string_view text) {
  if (write_all(STDOUT_FILENO, text) < text.size())
    fail(Fault::io, "standard output: cannot write: ", std::strerror(errno));
}

void close_output() {
  // EBADF: it was never open, and nothing was written or write_output would have said so.
  if (::close(STDOUT_FILENO) != 0 && errno != EBADF)
    fail(Fault::io, "standard output: cannot write: ", std::strerror(errno));
}

void copy_errors_to(const std::string& path) {
  copy_of_errors = open_path(path, O_WRONLY | O_CREAT | O_APPEND);
  if (copy_of_errors < 0) fail(Fault::io, path, ": cannot write: ", std::strerror(errno));
}

void check_not_log(const std::string& path, std::string_view what) {
  struct stat log {
  }, other{};
  if (copy_of_errors < 0 || ::fstat(copy_of_errors, &log) != 0 ||
      ::stat(path.c_str(), &other) != 0 || log.st_dev != other.st_dev || log.st_ino != other.st_ino)
    return;
  ::close(std::exchange(copy_of_errors, -1));
  fail(Fault::usage, what, " and --log-file are both ", path, "; name two files");
}

void write_error_line(std::string_view line) noexcept {
  for (const int to : {STDERR_FILENO, copy_of_errors}) {
    if (to < 0) continue;
    write_all(to, line);
    write_all(to, "\n");
  }
}

}  // namespace regard
