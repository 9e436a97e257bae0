#pragma once

#include <string>
#include <vector>

#include "regard/base/log.h"

namespace regard::testing {

/// Keeps what is warned of while it lives, instead of showing it.
class Warnings {
 public:
  Warnings() {
    set_warning_sink([this](std::string_view line) { lines.emplace_back(line); });
  }
  ~Warnings() { set_warning_sink({}); }

  /// All of it, a line each.
  std::string text() const {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }

  std::vector<std::string> lines;
};

}  // namespace regard::testing
