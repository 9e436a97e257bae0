#pragma once

#include <string>
#include <vector>

namespace regard {

/// A file a command is to write.
struct OutputFile {
  std::string option;  ///< that names it, as "--svg"
  std::string path;    ///< "-" is standard output
};

/// Refuses, before any work is done, what would destroy something: Error(usage) where an output is
/// also an input or another output, is there already and may not be overwritten, or is no regular
/// file.
void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs,
                   bool overwrite);

}  // namespace regard
