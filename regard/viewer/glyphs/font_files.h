#pragma once

#include <filesystem>
#include <vector>

namespace regard {

/// The folders in which this machine keeps its fonts, the user's own first.
std::vector<std::filesystem::path> font_folders();

/// The TrueType and OpenType files in the folders and below, those first whose names tell of a
/// plain sans serif of the weight, as ours is; Noto before others of the same kind.
std::vector<std::filesystem::path> font_files(const std::vector<std::filesystem::path>& folders,
                                              bool bold);

}  // namespace regard
