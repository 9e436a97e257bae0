#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "regard/viewer/glyphs/font_files.h"
#include "regard/viewer/glyphs/typeface.h"

namespace regard {

/// The typefaces of a thread: ours, and those of the machine for letters that ours lack.
class Typefaces {
 public:
  explicit Typefaces(std::vector<std::filesystem::path> folders = font_folders());
  ~Typefaces();
  Typefaces(const Typefaces&) = delete;
  Typefaces& operator=(const Typefaces&) = delete;

  static Typefaces& of_this_thread();

  /// DejaVu Sans, which is inside the program.
  Typeface& ours(bool bold) const { return bold ? *bold_ : *regular_; }
  /// The first that draws all the letters; null: none does. What only joins letters or chooses
  /// between their forms is not looked for.
  Typeface* drawing(std::span<const std::uint32_t> letters, bool bold);

 private:
  // Fonts of the machine in the order in which they are tried, opened as far as was needed.
  struct Shelf {
    bool filled = false;
    std::vector<std::filesystem::path> files;
    std::size_t opened = 0;
    std::vector<std::unique_ptr<Typeface>> typefaces;
  };
  struct Library;

  std::unique_ptr<Typeface> open_ours(bool bold) const;
  Typeface* found(std::span<const std::uint32_t> letters, bool bold);
  bool open_next(Shelf& shelf, bool bold) const;

  std::vector<std::filesystem::path> folders_;
  std::unique_ptr<Library> library_;
  std::unique_ptr<Typeface> regular_, bold_;
  Shelf shelves_[2];  // regular and bold
  std::map<std::pair<bool, std::vector<std::uint32_t>>, Typeface*> chosen_;
};

/// DejaVu Sans as a TrueType file.
std::string_view typeface_file(bool bold);

}  // namespace regard
