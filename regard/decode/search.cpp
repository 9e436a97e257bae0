#include "regard/decode/search.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/decode/sentence.h"
#include "regard/tokens/tokenizer.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

void check_spec(const DecodeSpec& spec) {
  check(spec.beam >= 1 && spec.n_best >= 1, "a beam of ", spec.beam, " and ", spec.n_best,
        " best; expected 1 or more of each");
  check(spec.sample || spec.n_best <= spec.beam, "n_best is ", spec.n_best, ", but a beam of ",
        spec.beam, " keeps no more than that; widen the beam or ask for fewer");
  check(spec.temperature > 0 && spec.top_p > 0 && spec.top_k >= 0, "cannot draw with temperature ",
        spec.temperature, ", top_p ", spec.top_p, " and top_k ", spec.top_k,
        "; expected more than 0, more than 0, and 0 or more");
  check(
      spec.max_length >= 0 && spec.max_ratio >= 0 && spec.min_length >= 0 && spec.batch_tokens >= 1,
      "lengths and ratios of a search cannot be negative, nor a batch of no token");
}

/// Sentences at work together.
class Search {
 public:
  Search(const SequenceModel& model, std::span<const Ids> sources, const DecodeSpec& spec,
         const SearchHooks& hooks)
      : model_(model), sources_(sources), spec_(spec), hooks_(hooks), results_(sources.size()) {}

  std::vector<std::vector<Hypothesis>> operator()() {
    while (next_ < sources_.size() || !at_work_.empty()) {
      refill();
      step();
      collect();
    }
    return std::move(results_);
  }

 private:
  struct Worker {
    Sentence sentence;
    std::size_t source;
  };

  Index cost(std::size_t source) const {
    return (spec_.sample ? spec_.n_best : spec_.beam) *
           std::max<Index>(1, static_cast<Index>(sources_[source].size()));
  }

  /// Takes up new sentences. Not one by one, for the encoder is slow on single ones: only when an
  /// eighth of the room is free.
  void refill() {
    const bool roomy = at_work_.empty() || spec_.batch_tokens - used_ >= spec_.batch_tokens / 8;
    std::vector<Ids> fresh;
    while (roomy && next_ < sources_.size()) {
      const bool idle = at_work_.empty();
      if (!idle && used_ + cost(next_) > spec_.batch_tokens) break;
      const SentenceInput in{.place = hooks_.places.empty()
                                          ? SourcePlace{.line = static_cast<Index>(next_)}
                                          : hooks_.places[next_],
                             .source_tokens = static_cast<Index>(sources_[next_].size()),
                             .prefix = hooks_.prefixes.empty() ? std::span<const std::int32_t>()
                                                               : std::span(hooks_.prefixes[next_])};
      at_work_.push_back({Sentence(in, spec_), next_});
      used_ += cost(next_);
      fresh.push_back(sources_[next_++]);
    }
    if (fresh.empty()) return;
    std::unique_ptr<Progress> more = model_.start(TokenIds::ragged(fresh), Pass{});
    if (progress_)
      progress_->join(*more);
    else
      progress_ = std::move(more);
  }

  void step() {
    Ids said;
    for (const Worker& worker : at_work_)
      said.insert(said.end(), worker.sentence.said().begin(), worker.sentence.said().end());
    Tensor log_p = model_.output().log_probabilities(model_.step(said, *progress_, Pass{}));
    std::vector<Index> chosen;
    Index first = 0;
    for (Worker& worker : at_work_) {
      const auto rows = static_cast<Index>(worker.sentence.said().size());
      worker.sentence.advance(log_p, first);
      for (const Index parent : worker.sentence.parents()) chosen.push_back(first + parent);
      first += rows;
    }
    if (chosen.empty())
      progress_.reset();
    else if (!is_identity(chosen, first))
      progress_->reorder(chosen);
  }

  static bool is_identity(const std::vector<Index>& chosen, Index rows) {
    if (static_cast<Index>(chosen.size()) != rows) return false;
    for (Index i = 0; i < rows; ++i)
      if (chosen[static_cast<std::size_t>(i)] != i) return false;
    return true;
  }

  void collect() {
    std::erase_if(at_work_, [&](const Worker& worker) {
      if (!worker.sentence.done()) return false;
      results_[worker.source] = worker.sentence.results();
      used_ -= cost(worker.source);
      return true;
    });
    for (; told_ < results_.size() && !results_[told_].empty(); ++told_)
      if (hooks_.done) hooks_.done(static_cast<Index>(told_), results_[told_]);
  }

  const SequenceModel& model_;
  std::span<const Ids> sources_;
  const DecodeSpec& spec_;
  const SearchHooks& hooks_;
  std::unique_ptr<Progress> progress_;  // the rows of at_work_, one sentence after another
  std::vector<Worker> at_work_;
  std::size_t next_ = 0, told_ = 0;
  Index used_ = 0;
  std::vector<std::vector<Hypothesis>> results_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> translate(const SequenceModel& model,
                                               std::span<const Ids> sources, const DecodeSpec& spec,
                                               const SearchHooks& hooks) {
  check_spec(spec);
  const Index V = model.output().vocabulary();
  check(V > kEos, "a vocabulary of ", V, " tokens has no end of sentence");
  check(hooks.prefixes.empty() || hooks.prefixes.size() == sources.size(), "expected a prefix for ",
        "each of ", sources.size(), " sources, got ", hooks.prefixes.size());
  check(hooks.places.empty() || hooks.places.size() == sources.size(), "expected a place for ",
        "each of ", sources.size(), " sources, got ", hooks.places.size());
  for (const Ids& prefix : hooks.prefixes)
    for (const std::int32_t id : prefix)
      check(id > kEos && id < V, "a translation cannot begin with token ", id, "; expected ",
            kEos + 1, " to ", V - 1);
  const NoGrad quiet;
  return Search(model, sources, spec, hooks)();
}

}  // namespace regard
