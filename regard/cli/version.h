#pragma once

#include <string_view>

namespace regard {

/// The same number as project(VERSION) in CMakeLists.txt; a test compares them.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace regard
