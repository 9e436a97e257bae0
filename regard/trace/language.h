#pragma once

#include <string>
#include <string_view>

namespace regard {

/// The English name of a language by its ISO 639 code, in any case and with or without a region:
/// "en", "EN-GB" -> "English". The code itself if it is not known.
std::string language_name(std::string_view code);

}  // namespace regard
