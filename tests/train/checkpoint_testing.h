#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "regard/train/checkpoint/checkpoint.h"

namespace regard::testing {

namespace fs = std::filesystem;

/// A checkpoint that is a function of its step: no file of one fits another.
inline Checkpoint sample(Index step, std::size_t size = 3000) {
  const auto filled = [&](std::size_t n, int salt) {
    std::string bytes(n, '\0');
    for (std::size_t i = 0; i < n; ++i)
      bytes[i] = static_cast<char>(i * 31 + static_cast<std::size_t>(step) * 7 + salt + i / 251);
    return bytes;
  };
  return {
      .step = step,
      .note = "{\"step\": " + std::to_string(step) + "}",
      .files = {
          {"weights.safetensors", filled(size, 1)}, {"state", filled(size / 2, 2)}, {"empty", ""}}};
}

inline bool same(const Checkpoint& a, const Checkpoint& b) {
  if (a.step != b.step || a.note != b.note || a.files.size() != b.files.size()) return false;
  for (std::size_t i = 0; i < a.files.size(); ++i)
    if (a.files[i].name != b.files[i].name || a.files[i].bytes != b.files[i].bytes) return false;
  return true;
}

/// A folder for one test, on a disk of memory where there is one; removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = fs::exists("/dev/shm") ? "/dev/shm/regard-test-XXXXXX"
                                              : fs::temp_directory_path() / "regard-test-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string operator/(const std::string& name) const { return path_ / name; }
  std::string path() const { return path_; }

 private:
  fs::path path_;
};

inline std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename());
  return names;
}

}  // namespace regard::testing
