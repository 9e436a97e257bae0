#pragma once

#include <cerrno>
#include <cstddef>
#include <string_view>

namespace regard {

/// What a system call returns once no signal interrupts it.
template <class Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Writes the bytes to a file and returns how many it took: all, unless errno says why not.
std::size_t write_all(int file, std::string_view bytes) noexcept;

/// Whether what was written is on the disk, or the file is of a kind that knows no disk; errno
/// says why not.
bool flush_to_disk(int file) noexcept;

}  // namespace regard
