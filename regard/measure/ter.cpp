#include "regard/measure/ter.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "regard/base/check.h"
#include "regard/measure/edit_rate.h"
#include "regard/measure/signature.h"
#include "regard/measure/unicode.h"

namespace regard {
namespace {

/// Lines to words in lower case, the same word always the same number.
class LowerCaseWords {
 public:
  std::u32string operator()(const std::string& line) {
    const std::u32string text = measure::lower_case(measure::code_points(line));
    std::u32string words;
    for (const std::u32string_view word : measure::split_at_space(text))
      words += numbers_.emplace(word, static_cast<char32_t>(numbers_.size())).first->second;
    return words;
  }

 private:
  std::unordered_map<std::u32string, char32_t> numbers_;
};

double edit_rate(std::span<const double> counts) {
  const double edits = counts[0], length = counts[1];
  if (length > 0) return 100 * (edits / length);
  return edits > 0 ? 100 : 0;
}

}  // namespace

LineStatistics ter_statistics(std::span<const std::string> hypotheses,
                              const std::vector<std::vector<std::string>>& references) {
  check(!references.empty(), "TER needs at least one reference");
  for (const auto& reference : references)
    check(reference.size() == hypotheses.size(), "TER: ", hypotheses.size(),
          " hypotheses against a reference of ", reference.size(), " lines");
  LineStatistics statistics{.corpus = edit_rate, .sentence = edit_rate};
  LowerCaseWords words;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const std::u32string hypothesis = words(hypotheses[i]);
    Index fewest = 0, lengths = 0;
    for (std::size_t r = 0; r < references.size(); ++r) {
      const std::u32string reference = words(references[r][i]);
      const Index edits = measure::translation_edits(hypothesis, reference);
      fewest = r == 0 ? edits : std::min(fewest, edits);
      lengths += static_cast<Index>(reference.size());
    }
    statistics.lines.push_back(
        {static_cast<double>(fewest),
         static_cast<double>(lengths) / static_cast<double>(references.size())});
  }
  return statistics;
}

Ter ter(std::span<const std::string> hypotheses,
        const std::vector<std::vector<std::string>>& references) {
  const std::vector<double> sum = sum_of(ter_statistics(hypotheses, references), 2);
  return {
      .score = edit_rate(sum),
      .edits = sum[0],
      .reference_length = sum[1],
      .signature = fmt::format("nrefs:{}|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{}",
                               references.size(), kMeasureVersion)};
}

}  // namespace regard
