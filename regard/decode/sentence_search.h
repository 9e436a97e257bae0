#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regard/base/rng.h"
#include "regard/decode/beam_log.h"
#include "regard/decode/candidates.h"
#include "regard/decode/hypothesis.h"
#include "regard/decode/spec.h"

namespace regard {

/// Where a source stands in the whole input.
struct SourcePlace {
  Index line = 0;   ///< from 0, empty ones counted
  Index piece = 0;  ///< of a line too long to be translated at once
};

/// A sentence to be translated.
struct SentenceInput {
  SourcePlace place{};                     ///< seeds drawing
  Index source_tokens = 0;                 ///< with the end
  std::span<const std::int32_t> prefix{};  ///< what its translation begins with
  BeamLog* log = nullptr;                  ///< gets the tree of the search; none: nobody asked
};

/// One sentence on its way: hypotheses that go on, one row of the model each, and those that ended.
/// Knows nothing of other sentences, so none of them can change a bit of it.
///
/// A hypothesis that ends leaves the beam, which is narrower by one from then on; the search is
/// over when none is left, or when no other can still beat the worst of the n best.
class SentenceSearch {
 public:
  /// REQUIRES that the spec and what the input points to outlive it.
  SentenceSearch(const SentenceInput& in, const DecodeSpec& spec);

  bool done() const { return live_.empty(); }

  /// Rows that go on: for each, which of the rows before it came from, and its last token.
  std::span<const Index> parents() const { return parents_; }
  std::span<const std::int32_t> last_tokens() const { return last_tokens_; }

  /// What is to be asked about each of its rows before it advances.   REQUIRES !done()
  TokenAsk asks() const;

  /// One more token, from what was answered, a row each.
  void advance(std::span<const NextTokens> rows);

  /// The n best, best first; fewer where there are not so many.   REQUIRES done()
  std::vector<Hypothesis> results() const;

 private:
  struct Live {
    std::vector<std::int32_t> ids;
    std::vector<double> log_p;
    double total = 0;
    Index sample = 0;
    Index node = -1;  // of the log
  };
  using Rows = std::span<const NextTokens>;

  Index length() const { return static_cast<Index>(live_[0].ids.size()); }
  Index wanted() const;  // candidates of each row, where not all are
  void take_prefix(Rows rows);
  void end_all(Rows rows);
  void search(Rows rows);
  void draw(Rows rows);

  void extend(const Live& from, Index row, const Candidate& next);
  void end(const Live& from, double log_p, bool finished);
  void stop_if_decided();
  double penalty(Index tokens) const;
  Index note(const Live& from, const Candidate& next, BeamState state);

  const DecodeSpec* spec_;
  std::span<const std::int32_t> prefix_;
  BeamLog* log_;
  Rng rng_;
  Index limit_;
  std::vector<Live> live_, next_;
  std::vector<Index> parents_;
  std::vector<std::int32_t> last_tokens_;
  std::vector<double> ends_;       // log p of the end after each row, even where it is forbidden
  std::vector<Hypothesis> ended_;  // best first
};

}  // namespace regard
