#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/tensor/shape.h"

namespace regard {

/// Named arrays as the bytes of a .npz file, which numpy.load opens without pickle: a zip archive
/// of .npy files that are stored as they are. Same arrays, same bytes.
class NpzWriter {
 public:
  // Row-major elements. REQUIRES as many as the shape has, and a new name each time.
  void add(std::string_view name, const Shape& shape, std::span<const float> values);
  void add(std::string_view name, const Shape& shape, std::span<const double> values);
  void add(std::string_view name, const Shape& shape, std::span<const std::int32_t> values);
  /// A list of texts in UTF-8; broken bytes become U+FFFD.
  void add(std::string_view name, const std::vector<std::string>& texts);

  /// The file. Throws Error(usage) if it would pass 4 GiB.
  std::string bytes() const;

 private:
  struct Entry {
    std::string name;
    std::uint32_t sum = 0;  // CRC-32
    std::size_t start = 0, size = 0;
  };
  void append(std::string_view name, const char* type, const Shape& shape, std::string_view data);

  std::string body_;
  std::vector<Entry> entries_;
};

}  // namespace regard
