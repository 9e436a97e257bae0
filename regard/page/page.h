#pragma once

#include <span>
#include <string>
#include <string_view>

namespace regard {

/// One file of the page, ready to be sent.
struct PageFile {
  std::string_view path;  ///< "/" for index.html, "/page/main.js" for any other
  std::string_view type;  ///< its Content-Type
  std::string_view bytes;
  std::string_view packed;  ///< the same as gzip data, which is how the program holds it
};

/// Every file of the page; they live as long as the program and refer only to each other.
std::span<const PageFile> page_files();

/// The page as one HTML file that holds all it needs, the data included, and opens from disk. It
/// forbids itself the network. REQUIRES data_json is the text of one JSON object, in UTF-8:
///   {"trace": .., "model": .., "positional": .., "heads": .., "runs": [..]}
std::string saved_page(std::string_view data_json);

}  // namespace regard
