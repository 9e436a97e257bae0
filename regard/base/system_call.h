#pragma once

#include <cerrno>
#include <cstddef>
#include <string>
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

/// open(2), closed on exec; a file that it makes has the usual rights.
int open_path(const std::string& path, int flags) noexcept;

/// Whether what was written is on the disk now; errno says why not, EINVAL for what has no disk.
bool flush_to_disk(int file) noexcept;

}  // namespace regard
