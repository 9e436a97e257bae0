#pragma once

#include <string>
#include <string_view>

#include "regard/base/real.h"

namespace regard {

/// The most pixels that a picture may have: 8192 x 8192.
inline constexpr Index kMaxPixels = Index{1} << 26;

/// The parts of a PNG file that decide its pixels, as a file of their own: what says something else
/// of it (times, texts, colour profiles) is left out. Every checksum fits, nothing is missing,
/// there are at most kMaxPixels pixels, a million a side, of at most 8 bits per channel, and the
/// data is long enough that they can be in it. `name` stands for the file in messages. Throws
/// Error(input) otherwise, and for an animation.
std::string deciding_png_parts(std::string_view bytes, const std::string& name);

}  // namespace regard
