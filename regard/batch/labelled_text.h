#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/batch/lines.h"
#include "regard/batch/pair_filter.h"

namespace regard {

/// How long a label may be: a table of confusions must stay readable.
inline constexpr std::size_t kMaxLabelBytes = 200;

/// Why a text is no label; empty: it is one. A label is a line of UTF-8 as `normalise` writes it.
std::string fault_of_label(std::string_view text);

/// A label as messages show it: its first 40 characters.
std::string shown_label(std::string_view label);

/// Throws Error(input) that names file and line, 0: none, and the label that is nearest among those
/// a model has learned.
[[noreturn]] void fail_unknown_label(const std::string& path, Index line, std::string_view label,
                                     const std::vector<std::string>& learned);

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
/// words, lines and duplicates apply. Throws Error(input) naming the line where a label is none, or
/// none of those `known`, where there are any; else as read_corpus does.
std::vector<Pair> read_labelled(const std::vector<std::string>& paths, const Filters& filters,
                                CorpusReport& report, const std::vector<std::string>& known = {});

}  // namespace regard
