#include "regard/base/system_call.h"

#include <fcntl.h>
#include <unistd.h>

namespace regard {

std::size_t write_all(int file, std::string_view bytes) noexcept {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        uninterrupted([&] { return ::write(file, bytes.data() + done, bytes.size() - done); });
    if (n == 0) errno = ENOSPC;  // what else a file can mean that takes nothing
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

int open_path(const std::string& path, int flags) noexcept {
  return uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

bool flush_to_disk(int file) noexcept {
  return uninterrupted([&] { return ::fsync(file); }) == 0;
}

}  // namespace regard
