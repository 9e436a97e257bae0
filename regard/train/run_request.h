#pragma once

#include <functional>
#include <string>

namespace regard {

/// Where a run lives, and how it is made ready.
struct RunRequest {
  std::string folder{};        ///< locked by the caller
  bool allow_changed = false;  ///< go on even from other text
  /// What the warning of a text too small to divide advises, as the caller names its settings.
  std::string valid_remedy = "name a validation set (data.valid_source)";
  bool fresh = false;  ///< before_writing() forgets what is there
  std::function<void(const std::string&)> say = [](const std::string&) {};
  std::function<bool()> stop = [] { return false; };
  std::function<void()> before_writing = [] {};  ///< all is ready; nothing is changed yet
};

}  // namespace regard
