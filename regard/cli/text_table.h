#pragma once

#include <string>
#include <vector>

#include "regard/viewer/terminal.h"

namespace regard {

/// Lines of columns, each as wide as its widest text, up to a limit.
class TextTable {
 public:
  explicit TextTable(const Terminal& terminal) : terminal_(terminal) {}

  void add(const std::vector<std::string>& row);
  std::string text() const;

 private:
  const Terminal& terminal_;
  std::vector<int> widths_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace regard
