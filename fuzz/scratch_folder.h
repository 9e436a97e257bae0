#pragma once

#include <string>
#include <string_view>

namespace regard {

/// A folder of its own below $TMPDIR, for readers that want paths; gone with the object. Let
/// $TMPDIR lie in memory where time matters.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// Makes the file hold these bytes; returns its path. Not flushed: nobody counts on them.
  std::string write(const std::string& name, std::string_view bytes) const;

 private:
  std::string folder_;
};

}  // namespace regard
