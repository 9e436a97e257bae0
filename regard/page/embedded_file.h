#pragma once

#include <span>
#include <string_view>

namespace regard {

/// A file of the folder regard/page, as it was when the program was built.
struct EmbeddedFile {
  std::string_view name;    ///< "main.js"
  std::string_view packed;  ///< gzip data
};

namespace embedded {

/// All of them, in the order of their names. Written by cmake/Embed.cmake.
std::span<const EmbeddedFile> page_folder();

}  // namespace embedded
}  // namespace regard
