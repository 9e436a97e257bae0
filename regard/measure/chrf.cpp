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

struct OrderCounts {
  Index hypothesis = 0, reference = 0, matching = 0;
};
using Statistics = std::vector<OrderCounts>;

Statistics compare(const Line& hypothesis, const Line& reference) {
  Statistics statistics;
  for (std::size_t n = 0; n < hypothesis.orders().size(); ++n) {
    const measure::Ngrams &found = hypothesis.orders()[n], &wanted = reference.orders()[n];
    // What a reference is too short for is not held against the hypothesis.
    statistics.push_back({.hypothesis = wanted.empty() ? 0 : measure::total(found),
                          .reference = measure::total(wanted),
                          .matching = measure::matches(found, wanted)});
  }
  return statistics;
}

double f_score(const Statistics& statistics) {
  double precision = 0, recall = 0;
  int orders = 0;
  for (const OrderCounts& n : statistics) {
    if (n.hypothesis == 0 || n.reference == 0) continue;
    precision += static_cast<double>(n.matching) / static_cast<double>(n.hypothesis);
    recall += static_cast<double>(n.matching) / static_cast<double>(n.reference);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * ((1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall));
}

}  // namespace

Chrf chrf(std::span<const std::string> hypotheses,
          const std::vector<std::vector<std::string>>& references, const ChrfSpec& spec) {
  check(!references.empty(), "chrF needs at least one reference");
  check(spec.word_order >= 0 && spec.word_order <= kMaxWordOrders, "chrF: word order must be 0 to ",
        kMaxWordOrders, ", not ", spec.word_order);
  for (const auto& reference : references)
    check(reference.size() == hypotheses.size(), "chrF: ", hypotheses.size(),
          " hypotheses against a reference of ", reference.size(), " lines");
  Numbers numbers;
  Statistics sum(kCharacterOrders + static_cast<std::size_t>(spec.word_order));
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const Line hypothesis(hypotheses[i], spec, numbers);
    Statistics best;
    double best_score = -1;
    for (const auto& reference : references) {
      const Statistics statistics = compare(hypothesis, Line(reference[i], spec, numbers));
      const double score = f_score(statistics);
      if (score <= best_score) continue;
      best_score = score;
      best = statistics;
    }
    for (std::size_t n = 0; n < sum.size(); ++n) {
      sum[n].hypothesis += best[n].hypothesis;
      sum[n].reference += best[n].reference;
      sum[n].matching += best[n].matching;
    }
  }
  return {.score = f_score(sum),
          .signature = fmt::format("nrefs:{}|case:{}|eff:yes|nc:{}|nw:{}|space:no|version:{}",
                                   references.size(), spec.lower_case ? "lc" : "mixed",
                                   kCharacterOrders, spec.word_order, kMeasureVersion)};
}

}  // namespace regard
