#pragma once

#include <string>

namespace regard {

/// A sentence and its translation.
struct Pair {
  std::string source, target;
  std::string alignment{};  ///< which words correspond, "0-0 1-2" (Moses); empty: not known

  bool operator==(const Pair&) const = default;
};

}  // namespace regard
