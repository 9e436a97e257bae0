#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// read(2), or what a test puts in its place.
using ReadCall = std::function<ssize_t(int file, void* to, std::size_t size)>;

/// The bytes of a file, a pipe or standard input ("-") as they are, piece by piece. Throws
/// Error(input) for what cannot be opened or is no file, Error(io) if reading fails; an interrupted
/// read is done again.
class RawFile {
 public:
  explicit RawFile(std::string path, ReadCall read = {});
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  const std::string& path() const { return path_; }
  Index offset() const { return offset_; }  ///< how many bytes were given so far
  /// The next bytes, some at least; empty at the end. Good until the next call.
  std::string_view next();

 private:
  std::string path_;
  ReadCall read_;
  int file_;
  bool ended_ = false;
  std::vector<char> piece_;
  Index offset_ = 0;
};

/// Whether a path is standard input: "-" or "/dev/stdin".
bool is_standard_input(const std::string& path);

/// Whether a path is standard input or a pipe, which can be read only once.
bool is_stream(const std::string& path);

}  // namespace regard
