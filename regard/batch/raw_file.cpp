#include "regard/batch/raw_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/system_call.h"

namespace regard {
namespace {

constexpr std::size_t kPiece = 1 << 16;

int open_to_read(const std::string& path) {
  if (is_standard_input(path)) return STDIN_FILENO;
  struct stat about {};
  // Looked at before it is opened: opening a device can do things of its own.
  if (::stat(path.c_str(), &about) != 0)
    fail(Blame(Fault::input).at(path), path, ": cannot open: ", std::strerror(errno));
  if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode))
    fail(Blame(Fault::input).at(path), path, ": not a regular file or pipe");
  const int file = open_path(path, O_RDONLY);
  if (file < 0) fail(Blame(Fault::input).at(path), path, ": cannot open: ", std::strerror(errno));
  return file;
}

}  // namespace

RawFile::RawFile(std::string path, ReadCall read)
    : path_(std::move(path)), read_(std::move(read)), file_(open_to_read(path_)), piece_(kPiece) {
  if (!read_) read_ = ::read;
}

RawFile::~RawFile() {
  if (file_ > STDERR_FILENO) ::close(file_);
}

std::string_view RawFile::next() {
  if (ended_) return {};
  const ssize_t n = uninterrupted([&] { return read_(file_, piece_.data(), piece_.size()); });
  if (n < 0)
    fail(Blame(Fault::io).at(path_), path_, ": @", offset_,
         ": read failed: ", std::strerror(errno));
  ended_ = n == 0;
  offset_ += n;
  return {piece_.data(), static_cast<std::size_t>(n)};
}

bool is_standard_input(const std::string& path) {
  return path == "-" || path == "/dev/stdin";
}

bool is_stream(const std::string& path) {
  struct stat about {};
  return is_standard_input(path) || (::stat(path.c_str(), &about) == 0 && S_ISFIFO(about.st_mode));
}

}  // namespace regard
