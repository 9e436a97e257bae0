#pragma once

#include <string_view>

namespace regard {

/// Ends every signature: whose figures these are. The minor version of the program.
inline constexpr std::string_view kMeasureVersion = "regard-0.1";

}  // namespace regard
