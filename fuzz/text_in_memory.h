#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.h"
#include "regard/batch/corpus.h"
#include "regard/batch/pair_filter.h"
#include "regard/batch/raw_file.h"

namespace regard {

/// What a reader of standard input ("-") can be given in place of read(2): the bytes, at most
/// `piece` of them at a time.
inline ReadCall reading(std::string_view bytes, std::size_t piece) {
  return [bytes, piece](int, void* to, std::size_t size) mutable {
    const std::size_t count = std::min({piece, size, bytes.size()});
    if (count > 0) std::memcpy(to, bytes.data(), count);
    bytes.remove_prefix(count);
    return static_cast<ssize_t>(count);
  };
}

inline constexpr std::size_t kAtOnce = std::size_t{1} << 16;

/// What became of a corpus.
struct CorpusOutcome {
  bool refused = false;
  std::vector<Pair> pairs;
  CorpusReport report;

  bool operator==(const CorpusOutcome& other) const {
    return refused == other.refused && pairs == other.pairs &&
           report.dropped == other.report.dropped;
  }
};

/// What read(bytes, filters) makes of them: read(ReadCall, PairFilter&) reads a corpus.
template <class Read>
CorpusOutcome corpus_outcome(const Read& read, ReadCall bytes, const Filters& filters) {
  CorpusOutcome outcome;
  PairFilter sieve(filters, outcome.report);
  try {
    read(std::move(bytes), sieve);
    outcome.pairs = sieve.finish("-");
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
    outcome.refused = true;
  }
  return outcome;
}

/// The laws of every format: however the bytes come cut, the same pairs come out, counted right,
/// each side one line of UTF-8.
template <class Read>
CorpusOutcome lawful_corpus(const Read& read, std::string_view bytes, const Filters& filters) {
  const CorpusOutcome whole = corpus_outcome(read, reading(bytes, kAtOnce), filters);
  const CorpusOutcome cut = corpus_outcome(read, reading(bytes, 1), filters);
  law(whole == cut, "byte by byte, other pairs come out");
  Index counted = whole.report.kept;
  for (const auto& [reason, count] : whole.report.dropped) counted += count;
  law(counted == whole.report.read, "read ", whole.report.read, " pairs, counted ", counted);
  for (const Pair& pair : whole.pairs)
    for (const std::string* side : {&pair.source, &pair.target})
      law(fault_of_text(*side).empty() && side->find('\n') == side->npos && count_words(*side) > 0,
          "a side is no line of text: ", *side);
  return whole;
}

/// Filters that let nearly all pass for inputs of even length, and little for others.
inline Filters filters_for(std::string_view bytes) {
  if (bytes.size() % 2 == 0) return {.drop_duplicates = false};
  return {.max_words = 4, .max_ratio = 1.5, .drop_identical = true, .max_line_bytes = 40};
}

}  // namespace regard
