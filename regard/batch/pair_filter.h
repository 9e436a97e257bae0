#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "regard/batch/corpus.h"

namespace regard {

struct TextLine;

/// A line of a file, for messages: "file:line".
struct Place {
  const std::string& path;
  Index line;
};

/// Takes what a reader of some format finds, one call for every pair of the file, keeps what passes
/// the filters and counts the rest by reason.
class PairFilter {
 public:
  PairFilter(const Filters& filters, CorpusReport& report);

  /// A well-formed pair: kept or dropped by rule.
  void take(Pair pair);
  /// A text without a translation: a pair without a source, which only duplicates are told from.
  void take_text(std::string text);
  /// A text and its label, which may be much shorter.
  void take_labelled(Pair pair);
  /// A pair the file is right to have and training has no use for.
  void drop(const std::string& reason);
  /// A malformed pair. Throws Error(input) if the filters say to stop at such.
  void bad(Place place, const std::string& reason);

  const Filters& filters() const { return filters_; }
  std::vector<Pair> finish(std::string_view name);  ///< the kept pairs; Error(input) if none

 private:
  struct Hash {
    const std::vector<Pair>* pairs;
    std::size_t operator()(Index i) const;
  };
  struct Same {
    const std::vector<Pair>* pairs;
    bool operator()(Index a, Index b) const;
  };

  void keep(Pair pair);

  const Filters& filters_;
  CorpusReport& report_;
  std::vector<Pair> pairs_;
  std::unordered_set<Index, Hash, Same> seen_;  // of pairs_
};

/// What is wrong with a text as one sentence: not UTF-8, a NUL or CR inside; empty: nothing.
std::string fault_of_text(std::string_view text);
/// The same of a line, which can also be too long.
std::string fault_of_line(const TextLine& line);

/// How many words a text has: runs without white space, a run of n >= 16 characters counting as
/// n / 8, so that scripts written without spaces are measured as well.
Index count_words(std::string_view text);

/// White space of any kind, also line ends, becomes one space; none is left at the ends.
std::string on_one_line(std::string_view text);

}  // namespace regard
