#pragma once

#include <string>

namespace regard {

/// What pairs are made of: a text and its translation, a text alone, which is the target, or a text
/// and its label.
enum class PairKind { translation, text, label };

/// A sentence and its translation, or its label.
struct Pair {
  std::string source, target;
  std::string alignment{};  ///< which words correspond, "0-0 1-2" (Moses); empty: not known

  bool operator==(const Pair&) const = default;
};

}  // namespace regard
