#pragma once

#include <string>
#include <vector>

namespace regard {

/// The lines of a text that is read whole.
struct Text {
  std::string name;  ///< as messages call it
  std::vector<std::string> lines;
};

/// Reads one; '-' is standard input. Warns once of bytes that are not UTF-8. Throws Error(input) of
/// one without lines.
Text read_text(const std::string& path);

/// Throws Error(input) unless both have as many lines.
void check_lengths(const Text& hypotheses, const Text& reference);

}  // namespace regard
