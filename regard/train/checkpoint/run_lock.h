#pragma once

#include <string>

namespace regard {

/// Holds <folder>/lock, so that one training at a time works in a folder. The system lets go of it
/// when the process ends in whatever way; the file stays and means nothing by itself.
class RunLock {
 public:
  /// Makes the folder where it is missing. Throws Error(usage) naming the process that holds it,
  /// Error(io) where the file cannot be made.
  explicit RunLock(const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_;
};

}  // namespace regard
