#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// The sources as text.
namespace regard::testing {

inline const std::filesystem::path kRoot = REGARD_SOURCE_DIR;

inline std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace regard::testing
