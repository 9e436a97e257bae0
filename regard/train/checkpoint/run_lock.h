#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/base/open_file.h"

namespace regard {

/// Holds <folder>/lock, so that one training at a time works in a folder. The system lets go of it
/// when the process ends in whatever way; the file stays and means nothing by itself. Where nothing
/// else came into the folder meanwhile, the file goes away with whoever made it, and so do the
/// folders made for it.
class RunLock {
 public:
  /// Makes the folder where it is missing. Throws Error(usage) naming the process that holds it,
  /// Error(input) if the file is a link or no regular file, Error(io) if it cannot be made.
  explicit RunLock(const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  void open(const std::string& folder);
  void hold(const std::string& folder);
  bool came_to_nothing() const;
  void remove_made() const;

  std::string path_;
  Descriptor file_;
  std::vector<std::string> made_;                   // folders, outermost first
  std::optional<std::vector<std::string>> beside_;  // what was there when the file was made
};

}  // namespace regard
