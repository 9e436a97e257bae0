#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "regard/decode/hypothesis.h"
#include "regard/decode/sentence_search.h"
#include "regard/decode/spec.h"
#include "regard/model/sequence_model.h"
#include "regard/tensor/memory.h"

namespace regard {

/// Throws Error(usage) if the settings contradict one another, or the model has no end.
void check_search(const SequenceModel& model, const DecodeSpec& spec);
/// Throws Error(usage) if a translation cannot begin so.
void check_prefix(const SequenceModel& model, std::span<const std::int32_t> prefix);

/// A sentence on its way into a pool.
struct PoolSentence {
  std::vector<std::int32_t> source;  ///< with its end
  DecodeSpec spec{};                 ///< its own; batch_tokens does not matter
  SourcePlace place{};
  std::vector<std::int32_t> prefix{};
  BeamLog* log = nullptr;  ///< gets the tree of the search; outlives its stay in the pool
};

/// A sentence on its way out of a pool.
struct PoolResult {
  std::uint64_t ticket = 0;
  std::vector<Hypothesis> best{};  ///< as `translate` gives them
  std::exception_ptr error{};      ///< set: what went wrong with this sentence, and no other
};

/// Sentences that are translated together, token by token; they may come and go at any time. Those
/// that wait are taken up in the order they came, as many as have `batch_tokens` source tokens,
/// once for each hypothesis, and at least one. Knows of no thread: one at a time may use it.
///
/// The same bits come out for a sentence alone and in any company, whenever it came and whoever
/// left before it.
class TranslationPool {
 public:
  /// REQUIRES that the model outlives it.
  TranslationPool(const SequenceModel& model, Index batch_tokens);
  ~TranslationPool();

  /// Puts a sentence at the end of those that wait; tickets count from 0. Throws Error(usage) if
  /// n_best > beam, or if the prefix holds what cannot be generated.
  std::uint64_t add(PoolSentence sentence);

  /// Forgets a sentence, wherever it is; one that is not there is fine.
  void remove(std::uint64_t ticket);

  bool idle() const { return waiting_.empty() && in_flight_.empty(); }
  std::size_t waiting() const { return waiting_.size(); }
  std::size_t in_flight() const { return in_flight_.size(); }
  /// Whether one more sentence could be taken up soon: those that wait already leave room.
  bool roomy() const { return used_ + asked_ < batch_tokens_; }

  /// Takes up what there is room for, and says one more token of each sentence at work. Those that
  /// are finished, in the order they were taken up, leave. What this throws (no memory) leaves the
  /// pool unfit for all but destruction.
  std::vector<PoolResult> advance();

 private:
  struct Worker;

  void drop_removed();
  void take_up();
  void begin(const std::vector<std::vector<std::int32_t>>& fresh);
  void step();
  std::vector<PoolResult> finished();

  const SequenceModel& model_;
  const Index batch_tokens_;
  // Of the tensors of one step. Usual pages, so that a server takes what its largest step needs.
  Arena arena_{std::size_t{32} << 20, Pages::usual};
  std::deque<std::unique_ptr<Worker>> waiting_;
  std::vector<std::unique_ptr<Worker>> in_flight_;
  std::unique_ptr<IncrementalState> state_;  // the rows of in_flight_, one sentence after another
  std::uint64_t next_ = 0;
  Index used_ = 0, asked_ = 0;  // by those at work, and by those that wait
};

}  // namespace regard
