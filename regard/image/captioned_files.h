#pragma once

#include <string>
#include <vector>

#include "regard/image/image.h"

namespace regard {

/// A picture of one's own and what is said of it.
struct CaptionedFile {
  std::string path, caption;
  Index line;  ///< of the list that names it
};

/// A list of pictures: lines of "path TAB caption", or label, UTF-8, plain or gzip. A path that
/// does not begin with a slash begins at the folder of the list. Throws Error(input) with file and
/// line for a line that is anything else or says nothing, and if there is no line; nothing is
/// skipped.
std::vector<CaptionedFile> read_captioned_files(const std::string& list);

/// The picture itself. Throws Error(input) that names the list and the line too.
Image read_picture(const std::string& list, const CaptionedFile& file);

}  // namespace regard
