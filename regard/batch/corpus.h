#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"
#include "regard/batch/pair.h"
#include "regard/config/field.h"

namespace regard {

/// Where parallel text is: two aligned files of one sentence a line, or one file that is TSV, PO
/// or TMX by its name or else its content. Any of them may be gzip, "-" or a pipe.
struct CorpusPaths {
  std::vector<std::string> paths;
  std::string from, to;  ///< languages, "en" or "en-GB"; only TMX asks for them
  bool or_text = false;  ///< a file that is none of these is read as read_text does
};

/// Which pairs are kept. Words are counted as count_words does.
struct Filters {
  Index max_words = 250;        ///< of each side
  double max_ratio = 9;         ///< longer to shorter side, once the longer has over 10 words
  bool drop_duplicates = true;  ///< a pair seen before, both sides the same
  bool drop_identical = false;  ///< source = target
  std::string on_bad_line = "skip";
  Index max_line_bytes = Index{1} << 20;

  void each(auto&& visit) {
    visit(Field{"max_words", "maximum words of a sentence", 1, 1 << 20}.formerly("most_words"),
          max_words);
    visit(Field{"max_ratio", "maximum ratio of words, longer to shorter side", 1, 1e6}.formerly(
              "most_ratio"),
          max_ratio);
    visit(Field{"drop_duplicates", "drop pairs seen before"}, drop_duplicates);
    visit(Field{"drop_identical", "drop pairs whose two sides are the same"}, drop_identical);
    visit(Field::choice("on_bad_line", "what to do at a malformed line", {"skip", "stop"}),
          on_bad_line);
    visit(Field{"max_line_bytes", "maximum bytes of a line", 1, 1 << 30}, max_line_bytes);
  }
};

/// What became of a corpus: read = kept + all that was dropped.
struct CorpusReport {
  Index read = 0, kept = 0;
  std::string_view what = "pair";         ///< or line, or text: what is counted
  std::map<std::string, Index> dropped;   ///< reason -> pairs
  std::vector<std::string> first_errors;  ///< "file:line: what" of bad lines

  static constexpr std::size_t kMaxErrors = 5;

  std::string text() const;  ///< one paragraph
};

/// All pairs of a corpus that pass the filters, in the order of the file; the report is filled
/// also if this throws. Throws Error(input) if line counts differ, a file is damaged, a line is
/// bad and `on_bad_line` says stop, or no pair is left; Error(io) if reading fails.
std::vector<Pair> read_corpus(const CorpusPaths& corpus, const Filters& filters,
                              CorpusReport& report);

/// Whether a file of that name holds a text and its translation: .tsv, .po, .pot or .tmx, also
/// with .gz behind it.
bool is_named_parallel(std::string_view path);

/// The lines of a text that is no translation of anything, as pairs without a source, whatever the
/// file is called. Of the filters those of lines and of duplicates apply.
std::vector<Pair> read_text(const std::string& path, const Filters& filters, CorpusReport& report);

/// The same filters for pairs that come from no file; `name` stands for the file in messages.
std::vector<Pair> filter_pairs(const std::string& name, std::vector<Pair> pairs,
                               const Filters& filters, CorpusReport& report);
std::vector<Pair> filter_text(const std::string& name, std::vector<Pair> lines,
                              const Filters& filters, CorpusReport& report);
std::vector<Pair> filter_labelled(const std::string& name, std::vector<Pair> texts,
                                  const Filters& filters, CorpusReport& report);

/// Sizes and a 64-bit hash (FNV-1a) of the raw bytes of the files, to know a changed corpus by;
/// the paths themselves and times of change do not count. A stream is called "stream" and a
/// built-in corpus by its name.
std::string corpus_fingerprint(const CorpusPaths& corpus);

/// Whether the corpus can be read only once: standard input or a pipe.
bool is_stream(const CorpusPaths& corpus);

}  // namespace regard
