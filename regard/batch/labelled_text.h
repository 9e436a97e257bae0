#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/batch/lines.h"
#include "regard/batch/pair_filter.h"

namespace regard {

/// A text and its label, and where the label stands.
struct LabelledText {
  std::string text, label;  ///< the label as `normalise` writes it
  std::string fault{};      ///< what is wrong with the line; empty: nothing
  Place place;
};

/// Texts with their labels, line by line: "text TAB label", or two files that are aligned line by
/// line. Any of them may be gzip, "-" or a pipe.
class LabelledLines {
 public:
  /// REQUIRES one path or two. Throws Error(usage) for standard input twice.
  LabelledLines(const std::vector<std::string>& paths, Index max_bytes);

  /// Throws Error(input) with both counts where two files differ in length.
  std::optional<LabelledText> next();

 private:
  LabelledText split(const TextLine& line);

  Lines texts_;
  std::optional<Lines> labels_;
};

/// All of a corpus that pass the filters, as pairs of a text and its label; of the filters those of
/// words, lines and duplicates apply. With `known`, throws Error(input) naming the line where a
/// label is none of them; else as read_corpus does.
std::vector<Pair> read_labelled(const std::vector<std::string>& paths, const Filters& filters,
                                CorpusReport& report, const std::vector<std::string>& known = {});

}  // namespace regard
