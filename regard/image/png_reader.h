#pragma once

#include <string>
#include <string_view>

#include "regard/image/image.h"
#include "regard/image/png_parts.h"

namespace regard {

/// A PNG file as an image: grey, palette or colour, interlaced or not, of 1 to 8 bits; what is
/// transparent is laid over white. Colours are the numbers in the file: gamma and colour profiles
/// are not applied. `name` stands for the file in messages. Throws Error(input) naming it for
/// anything else: 16 bits, an animation, more than `most` pixels, a part that is missing or
/// whose checksum does not fit. What follows the last part, or the last pixel in the data, is not
/// looked at; a colour past the end of the palette is black.
Image parse_png(std::string_view bytes, const std::string& name, Index most = kMaxPixels);

/// The same of a file, or of standard input for "-". Throws Error(input) also if it cannot be
/// opened, is no file or has over 256 MiB.
Image read_png(const std::string& path);

}  // namespace regard
