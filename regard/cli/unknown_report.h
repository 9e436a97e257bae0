#pragma once

#include <span>
#include <string>
#include <unordered_map>

#include "regard/tokens/unknown.h"

namespace regard {

/// Collects what a vocabulary does not have, and says so in one warning. Remembers a bounded number
/// of names, however long the input.
class UnknownReport {
 public:
  /// `what`: whose vocabulary, as "source".
  UnknownReport(const Tokenizer& tokenizer, std::string what);

  /// Takes those of a line, from 1; 0: lines mean nothing.
  void add(Index line, std::span<const UnknownText> unknown);

  /// Warns of all so far, the most frequent by name, and forgets them; silent if there are none.
  void tell();

 private:
  struct Seen {
    Index count = 0, line = 0;  // the first line
    std::size_t order = 0;
  };

  bool subwords_;
  std::string what_;
  std::unordered_map<std::string, Seen> seen_;
  bool more_ = false;  // than are remembered
};

}  // namespace regard
