#include "regard/measure/bleu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/measure/ngrams.h"
#include "regard/measure/signature.h"
#include "regard/measure/tokenizer.h"
#include "regard/measure/unicode.h"

namespace regard {
namespace {

constexpr std::size_t kOrders = 4;
using Words = std::u32string;  // a number for each word

/// Lines to words, the same word always the same number.
class Reader {
 public:
  explicit Reader(const BleuSpec& spec)
      : tokenizer_(measure::tokenizer_named(spec.tokenize)), lower_case_(spec.lower_case) {}

  Words words(const std::string& line) {
    std::u32string text = measure::code_points(line);
    if (lower_case_) text = measure::lower_case(text);
    while (!text.empty() && measure::is_space(text.back())) text.pop_back();
    const std::u32string tokens = measure::tokenize(text, tokenizer_);
    Words words;
    for (const std::u32string_view token : measure::split_at_space(tokens))
      words += numbers_.emplace(token, static_cast<char32_t>(numbers_.size())).first->second;
    return words;
  }

 private:
  measure::Tokenizer tokenizer_;
  bool lower_case_;
  std::unordered_map<std::u32string, char32_t> numbers_;
};

/// Of equally close lengths the shorter.
std::size_t closest_length(std::size_t length, const std::vector<Words>& references) {
  const auto distance = [&](const Words& words) {
    const auto difference = static_cast<Index>(words.size()) - static_cast<Index>(length);
    return std::pair(std::abs(difference), words.size());
  };
  return std::ranges::min_element(references, {}, distance)->size();
}

// What is counted of a line, in sacreBLEU's order: both lengths, then matches and n-grams per
// order.
constexpr std::size_t kHypothesis = 0, kReference = 1, kMatches = 2, kAll = kMatches + kOrders,
                      kCounts = kAll + kOrders;

std::vector<double> counts_of(const Words& hypothesis, const std::vector<Words>& references) {
  std::vector<double> counts(kCounts);
  counts[kHypothesis] = static_cast<double>(hypothesis.size());
  counts[kReference] = static_cast<double>(closest_length(hypothesis.size(), references));
  for (std::size_t n = 0; n < kOrders; ++n) {
    const measure::Ngrams found = measure::ngrams(hypothesis, n + 1);
    measure::Ngrams allowed = measure::ngrams(references[0], n + 1);
    for (std::size_t r = 1; r < references.size(); ++r)
      allowed = measure::larger_counts(allowed, measure::ngrams(references[r], n + 1));
    counts[kMatches + n] = static_cast<double>(measure::matches(found, allowed));
    counts[kAll + n] = static_cast<double>(measure::total(found));
  }
  return counts;
}

std::array<double, kOrders> smoothed_precisions(std::span<const double> counts) {
  std::array<double, kOrders> precisions{};
  double halving = 1;
  for (std::size_t n = 0; n < kOrders && counts[kAll + n] > 0; ++n) {
    const double matches = counts[kMatches + n], all = counts[kAll + n];
    if (matches == 0) halving *= 2;
    precisions[n] = matches > 0 ? 100.0 * matches / all : 100.0 / (halving * all);
  }
  return precisions;
}

/// `orders`: how many precisions are averaged.
Bleu result(std::span<const double> counts, std::size_t orders) {
  const double hypothesis = counts[kHypothesis], reference = counts[kReference];
  Bleu bleu{.hypothesis_length = static_cast<Index>(hypothesis),
            .reference_length = static_cast<Index>(reference)};
  if (hypothesis < reference)
    bleu.brevity_penalty = hypothesis == 0 ? 0 : elementary::exp(1 - reference / hypothesis);
  // Smoothing is no way to a score if not a single word is right.
  const auto matches = counts.subspan(kMatches, kOrders);
  if (std::ranges::all_of(matches, [](double count) { return count == 0; })) return bleu;
  bleu.precisions = smoothed_precisions(counts);
  double sum = 0;
  for (std::size_t n = 0; n < orders; ++n)
    sum += elementary::log(bleu.precisions[n]);  // log 0 = -inf
  bleu.score = bleu.brevity_penalty * elementary::exp(sum / static_cast<double>(orders));
  return bleu;
}

/// The orders that a line is long enough for.
std::size_t effective_orders(std::span<const double> counts) {
  std::size_t orders = 0;
  while (orders < kOrders && counts[kAll + orders] > 0) ++orders;
  return orders;
}

}  // namespace

LineStatistics bleu_statistics(std::span<const std::string> hypotheses,
                               const std::vector<std::vector<std::string>>& references,
                               const BleuSpec& spec) {
  check(!references.empty(), "BLEU needs at least one reference");
  for (const auto& reference : references)
    check(reference.size() == hypotheses.size(), "BLEU: ", hypotheses.size(),
          " hypotheses against a reference of ", reference.size(), " lines");
  LineStatistics statistics{
      .corpus = [](std::span<const double> counts) { return result(counts, kOrders).score; },
      .sentence =
          [](std::span<const double> counts) {
            return result(counts, std::max<std::size_t>(1, effective_orders(counts))).score;
          }};
  Reader reader(spec);
  std::vector<Words> line(references.size());
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    for (std::size_t r = 0; r < references.size(); ++r) line[r] = reader.words(references[r][i]);
    statistics.lines.push_back(counts_of(reader.words(hypotheses[i]), line));
  }
  return statistics;
}

Bleu bleu(std::span<const std::string> hypotheses,
          const std::vector<std::vector<std::string>>& references, const BleuSpec& spec) {
  Bleu bleu = result(sum_of(bleu_statistics(hypotheses, references, spec), kCounts), kOrders);
  bleu.signature =
      fmt::format("nrefs:{}|case:{}|eff:no|tok:{}|smooth:exp|version:{}", references.size(),
                  spec.lower_case ? "lc" : "mixed", spec.tokenize, kMeasureVersion);
  return bleu;
}

}  // namespace regard
