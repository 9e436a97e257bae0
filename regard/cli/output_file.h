#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regard/base/file.h"

namespace regard {

/// A file a command is to write.
struct OutputFile {
  std::string option;  ///< that names it, as "--svg"
  std::string path;    ///< "-" is standard output
};

/// Refuses, before any work is done, what would destroy something: Error(usage) if an output is
/// also an input, another output or the log, by whatever links, is there already and may not be
/// overwritten, or is no regular file.
void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs,
                   bool overwrite);

/// Writes an output: to standard output, or whole or not at all to a file. What has taken a file's
/// name since the check is refused as well. Throws Error(io).
void write_to(const std::string& path, std::string_view content, bool overwrite);

/// --overwrite, as the functions that write files want it.
inline IfThere if_there(bool overwrite) {
  return overwrite ? IfThere::replace : IfThere::refuse;
}

/// Throws Error(usage) if the log is one of the paths, by whatever links, or a file of the model
/// or run in a folder among them.
void check_log(const std::string& log, const std::vector<std::string>& paths);

}  // namespace regard
