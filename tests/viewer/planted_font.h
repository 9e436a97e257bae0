#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "regard/viewer/glyphs/typefaces.h"
#include "tests/cli/program.h"

namespace regard {

/// The bytes of a typeface like ours, which also has a letter that no other has.
inline constexpr char32_t kPlanted = 0x10FF00;

inline std::uint32_t big_endian(const std::string& bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// Moves the last letters of the table of letters; `glyph` becomes that of kPlanted.
inline std::string planted_font(std::uint32_t* glyph = nullptr) {
  std::string file(typeface_file(false));
  const std::size_t entry = file.find("cmap");
  const std::size_t table = big_endian(file, entry + 8, 4);
  for (std::size_t i = 0; i < big_endian(file, table + 2, 2); ++i) {
    const std::size_t map = table + big_endian(file, table + 8 + 8 * i, 4);
    if (big_endian(file, map, 2) != 12) continue;
    const std::size_t last = map + 16 + 12 * (big_endian(file, map + 12, 4) - 1);
    const std::uint32_t count = big_endian(file, last + 4, 4) - big_endian(file, last, 4);
    for (std::size_t k = 0; k < 4; ++k) {
      file[last + k] = static_cast<char>(kPlanted >> (24 - 8 * k));
      file[last + 4 + k] = static_cast<char>((kPlanted + count) >> (24 - 8 * k));
    }
    if (glyph != nullptr) *glyph = big_endian(file, last + 8, 4);
  }
  return file;
}

/// Does something where the machine has the planted font: in a thread of its own, as each looks for
/// fonts once.
inline void with_planted_font(const std::function<void()>& act) {
  const testing::Folder folder;
  std::filesystem::create_directory(folder.path("fonts"));
  folder.write("fonts/Planted.ttf", planted_font());
  const char* before = std::getenv("XDG_DATA_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
  std::thread(act).join();
  if (before == nullptr)
    unsetenv("XDG_DATA_HOME");
  else
    setenv("XDG_DATA_HOME", kept.c_str(), 1);
}

}  // namespace regard
