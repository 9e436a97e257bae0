#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "regard/cli/output_folder.h"

namespace regard {

/// Files that a command writes in whatever folders. Those of one folder take their names together
/// when all of them are written, or none does; one file alone takes its name when it is written.
class OutputSet {
 public:
  /// Throws Error(io) if a folder is missing or cannot be written to.
  OutputSet(const std::vector<std::string>& paths, bool overwrite);

  void write(const std::string& path, std::string_view content);  ///< Error(io)
  void publish();                                                 ///< all are written; Error(io)

 private:
  bool overwrite_;
  std::map<std::string, std::unique_ptr<OutputFolder>> folders_;  // none if there is one file
};

}  // namespace regard
