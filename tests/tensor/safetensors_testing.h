#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>

#include "regard/base/check.h"
#include "regard/tensor/safetensors.h"

namespace regard::testing {

/// A file in memory that has a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = "") : fd_(memfd_create("test", MFD_CLOEXEC)) {
    set(content);
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }
  void set(std::string_view content) {
    resize(content.size());
    put(0, content);
  }
  void put(std::size_t offset, std::string_view bytes) {
    ASSERT_EQ(::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(bytes.size()));
  }
  void resize(std::size_t size) { ASSERT_EQ(::ftruncate(fd_, static_cast<off_t>(size)), 0); }

 private:
  int fd_;
};

inline std::string length_bytes(std::uint64_t length) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes;
}

/// A file of this header and so many bytes of data.
inline std::string file_of(const std::string& header, std::size_t data_size = 0) {
  return length_bytes(header.size()) + header + std::string(data_size, '\1');
}

/// One tensor's entry: "name":{...}.
inline std::string entry_of(const std::string& name, const std::string& dtype,
                            const std::string& shape, const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

/// A header of these entries.
inline std::string header_of(const std::string& entries) {
  return std::string("{") + entries + "}";
}

/// Opening must be refused as the file's fault, with a message that holds `says`.
inline void expect_refused(const std::string& path, const std::string& says) {
  try {
    const SafetensorsFile file(path);
    ADD_FAILURE() << "accepted; expected an Error that says: " << says;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos)
        << error.what() << "\nexpected: " << says;
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
  }
}

inline void expect_content_refused(const std::string& content, const std::string& says) {
  SCOPED_TRACE(content.substr(0, 200));
  expect_refused(MemoryFile(content).path(), says);
}

}  // namespace regard::testing
