#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// The API keys of a service. Only their hashes are kept.
class ApiKeys {
 public:
  /// No keys: none is needed.
  ApiKeys() = default;
  /// Reads a file of keys, one per line; empty lines and those that begin with '#' are skipped.
  /// Throws Error(input) if there is none in it, or one is longer than kLongest bytes.
  explicit ApiKeys(const std::string& path);

  static constexpr std::size_t kLongest = 256;

  bool needed() const { return !hashes_.empty(); }

  /// Whether it is one of them. Takes the same time whichever it is, and however much of it is
  /// right.
  bool accepts(std::string_view key) const;

 private:
  std::vector<std::array<std::uint8_t, 32>> hashes_;
};

}  // namespace regard
