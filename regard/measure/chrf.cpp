#include "regard/measure/chrf.h"

#include <fmt/format.h>

#include <unordered_map>

#include "regard/base/check.h"
#include "regard/measure/ngrams.h"
#include "regard/measure/signature.h"
#include "regard/measure/unicode.h"

namespace regard {
namespace {

constexpr std::size_t kCharacterOrders = 6;
constexpr Index kMaxWordOrders = 4;
constexpr double kBetaSquared = 4;

/// Numbers for words, so that runs of words are compared as runs of characters are.
using Numbers = std::unordered_map<std::u32string, char32_t>;

bool is_ascii_punctuation(char32_t c) {
  return (c >= U'!' && c <= U'/') || (c >= U':' && c <= U'@') || (c >= U'[' && c <= U'`') ||
         (c >= U'{' && c <= U'~');
}

/// One line: its characters, its words, and the n-grams of both, which view them.
class Line {
 public:
  Line(const std::string& line, const ChrfSpec& spec, Numbers& numbers) {
    std::u32string text = measure::code_points(line);
    if (spec.lower_case) text = measure::lower_case(text);
    for (const std::u32string_view run : measure::split_at_space(text)) {
      characters_ += run;
      if (spec.word_order > 0) add_words(run, numbers);
    }
    for (std::size_t n = 1; n <= kCharacterOrders; ++n)
      orders_.push_back(measure::ngrams(characters_, n));
    for (Index n = 1; n <= spec.word_order; ++n)
      orders_.push_back(measure::ngrams(words_, static_cast<std::size_t>(n)));
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  const std::vector<measure::Ngrams>& orders() const { return orders_; }

 private:
  /// Punctuation parts from a word at its end, or else at its start, one sign and never both: so
  /// does the author's script.
  void add_words(std::u32string_view run, Numbers& numbers) {
    const auto add = [&](std::u32string_view word) {
      words_ += numbers.emplace(word, static_cast<char32_t>(numbers.size())).first->second;
    };
    std::size_t cut = 0;
    if (run.size() > 1 && is_ascii_punctuation(run.back()))
      cut = run.size() - 1;
    else if (run.size() > 1 && is_ascii_punctuation(run.front()))
      cut = 1;
    if (cut > 0) add(run.substr(0, cut));
    add(run.substr(cut));
  }

  std::u32string characters_, words_;
  std::vector<measure::Ngrams> orders_;
};

// What is counted of a line: for each order the n-grams of the hypothesis, of the reference, and
// those in both.
std::vector<double> compare(const Line& hypothesis, const Line& reference) {
  std::vector<double> counts;
  for (std::size_t n = 0; n < hypothesis.orders().size(); ++n) {
    const measure::Ngrams &found = hypothesis.orders()[n], &wanted = reference.orders()[n];
    // What a reference is too short for is not held against the hypothesis.
    for (const Index count : {wanted.empty() ? 0 : measure::total(found), measure::total(wanted),
                              measure::matches(found, wanted)})
      counts.push_back(static_cast<double>(count));
  }
  return counts;
}

double f_score(std::span<const double> counts) {
  double precision = 0, recall = 0;
  int orders = 0;
  for (std::size_t n = 0; n < counts.size(); n += 3) {
    const double found = counts[n], wanted = counts[n + 1], both = counts[n + 2];
    if (found == 0 || wanted == 0) continue;
    precision += both / found;
    recall += both / wanted;
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * ((1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall));
}

}  // namespace

LineStatistics chrf_statistics(std::span<const std::string> hypotheses,
                               const std::vector<std::vector<std::string>>& references,
                               const ChrfSpec& spec) {
  check(!references.empty(), "chrF needs at least one reference");
  check(spec.word_order >= 0 && spec.word_order <= kMaxWordOrders, "chrF: word order must be 0 to ",
        kMaxWordOrders, ", not ", spec.word_order);
  for (const auto& reference : references)
    check(reference.size() == hypotheses.size(), "chrF: ", hypotheses.size(),
          " hypotheses against a reference of ", reference.size(), " lines");
  LineStatistics statistics{.corpus = f_score, .sentence = f_score};
  Numbers numbers;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const Line hypothesis(hypotheses[i], spec, numbers);
    std::vector<double> best;
    double best_score = -1;
    for (const auto& reference : references) {
      std::vector<double> counts = compare(hypothesis, Line(reference[i], spec, numbers));
      const double score = f_score(counts);
      if (score <= best_score) continue;
      best_score = score;
      best = std::move(counts);
    }
    statistics.lines.push_back(std::move(best));
  }
  return statistics;
}

Chrf chrf(std::span<const std::string> hypotheses,
          const std::vector<std::vector<std::string>>& references, const ChrfSpec& spec) {
  const LineStatistics statistics = chrf_statistics(hypotheses, references, spec);
  const std::size_t orders = kCharacterOrders + static_cast<std::size_t>(spec.word_order);
  return {.score = f_score(sum_of(statistics, 3 * orders)),
          .signature = fmt::format("nrefs:{}|case:{}|eff:yes|nc:{}|nw:{}|space:no|version:{}",
                                   references.size(), spec.lower_case ? "lc" : "mixed",
                                   kCharacterOrders, spec.word_order, kMeasureVersion)};
}

}  // namespace regard
