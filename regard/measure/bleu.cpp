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
using Counts = std::array<Index, kOrders>;
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

struct Statistics {
  Counts correct{}, all{};
  Index hypothesis_length = 0, reference_length = 0;

  void add(const Words& hypothesis, const std::vector<Words>& references) {
    hypothesis_length += static_cast<Index>(hypothesis.size());
    reference_length += static_cast<Index>(closest_length(hypothesis.size(), references));
    for (std::size_t n = 0; n < kOrders; ++n) {
      const measure::Ngrams found = measure::ngrams(hypothesis, n + 1);
      measure::Ngrams allowed = measure::ngrams(references[0], n + 1);
      for (std::size_t r = 1; r < references.size(); ++r)
        allowed = measure::larger_counts(allowed, measure::ngrams(references[r], n + 1));
      all[n] += measure::total(found);
      correct[n] += measure::matches(found, allowed);
    }
  }
};

std::array<double, kOrders> smoothed_precisions(const Statistics& s) {
  std::array<double, kOrders> precisions{};
  double halving = 1;
  for (std::size_t n = 0; n < kOrders && s.all[n] > 0; ++n) {
    const auto all = static_cast<double>(s.all[n]);
    if (s.correct[n] == 0) halving *= 2;
    precisions[n] = s.correct[n] > 0 ? 100.0 * static_cast<double>(s.correct[n]) / all
                                     : 100.0 / (halving * all);
  }
  return precisions;
}

Bleu result(const Statistics& s) {
  Bleu bleu{.hypothesis_length = s.hypothesis_length, .reference_length = s.reference_length};
  if (s.hypothesis_length < s.reference_length)
    bleu.brevity_penalty = s.hypothesis_length == 0
                               ? 0
                               : elementary::exp(1 - static_cast<double>(s.reference_length) /
                                                         static_cast<double>(s.hypothesis_length));
  // Smoothing is no way to a score where not a single word is right.
  if (s.correct == Counts{}) return bleu;
  bleu.precisions = smoothed_precisions(s);
  double sum = 0;
  for (const double precision : bleu.precisions) sum += elementary::log(precision);  // log 0 = -inf
  bleu.score = bleu.brevity_penalty * elementary::exp(sum / kOrders);
  return bleu;
}

}  // namespace

Bleu bleu(std::span<const std::string> hypotheses,
          const std::vector<std::vector<std::string>>& references, const BleuSpec& spec) {
  check(!references.empty(), "BLEU needs at least one reference");
  for (const auto& reference : references)
    check(reference.size() == hypotheses.size(), "BLEU: ", hypotheses.size(),
          " hypotheses against a reference of ", reference.size(), " lines");
  Reader reader(spec);
  Statistics statistics;
  std::vector<Words> line(references.size());
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    for (std::size_t r = 0; r < references.size(); ++r) line[r] = reader.words(references[r][i]);
    statistics.add(reader.words(hypotheses[i]), line);
  }
  Bleu bleu = result(statistics);
  bleu.signature =
      fmt::format("nrefs:{}|case:{}|eff:no|tok:{}|smooth:exp|version:{}", references.size(),
                  spec.lower_case ? "lc" : "mixed", spec.tokenize, kMeasureVersion);
  return bleu;
}

}  // namespace regard
