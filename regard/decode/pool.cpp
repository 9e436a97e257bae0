#include "regard/decode/pool.h"

#include <algorithm>

#include "regard/base/check.h"
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
  check(spec.max_length >= 0 && spec.max_ratio >= 0 && spec.min_length >= 0,
        "lengths and ratios of a search cannot be negative");
}

bool is_identity(const std::vector<Index>& chosen, Index rows) {
  if (static_cast<Index>(chosen.size()) != rows) return false;
  for (Index i = 0; i < rows; ++i)
    if (chosen[static_cast<std::size_t>(i)] != i) return false;
  return true;
}

}  // namespace

/// A sentence and what it was made of, which stays where it is.
struct TranslationPool::Worker {
  Worker(std::uint64_t number, PoolSentence what)
      : ticket(number),
        input(std::move(what)),
        sentence({.place = input.place,
                  .source_tokens = static_cast<Index>(input.source.size()),
                  .prefix = input.prefix,
                  .log = input.log},
                 input.spec),
        cost((input.spec.sample ? input.spec.n_best : input.spec.beam) *
             std::max<Index>(1, static_cast<Index>(input.source.size()))) {}

  bool done() const { return error || sentence.done(); }

  std::uint64_t ticket;
  PoolSentence input;
  Sentence sentence;
  Index cost;
  bool removed = false;
  std::exception_ptr error{};
};

TranslationPool::TranslationPool(const SequenceModel& model, Index batch_tokens)
    : model_(model), batch_tokens_(batch_tokens) {
  check(batch_tokens >= 1, "a pool needs room for a token at least, got ", batch_tokens);
  check(model.output().vocabulary() > kEos, "a vocabulary of ", model.output().vocabulary(),
        " tokens has no end of sentence");
}

TranslationPool::~TranslationPool() = default;

std::uint64_t TranslationPool::add(PoolSentence sentence) {
  check_spec(sentence.spec);
  const Index V = model_.output().vocabulary();
  for (const std::int32_t id : sentence.prefix)
    check(id > kEos && id < V, "a translation cannot begin with token ", id, "; expected ",
          kEos + 1, " to ", V - 1);
  waiting_.push_back(std::make_unique<Worker>(next_, std::move(sentence)));
  asked_ += waiting_.back()->cost;
  return next_++;
}

void TranslationPool::remove(std::uint64_t ticket) {
  const auto is_it = [&](const auto& worker) { return worker->ticket == ticket; };
  if (const auto found = std::ranges::find_if(waiting_, is_it); found != waiting_.end()) {
    asked_ -= (*found)->cost;
    waiting_.erase(found);
    return;
  }
  for (const std::unique_ptr<Worker>& worker : at_work_)
    if (is_it(worker)) worker->removed = true;
}

std::vector<PoolResult> TranslationPool::advance() {
  const NoGrad quiet;
  drop_removed();
  take_up();
  if (at_work_.empty()) return {};
  step();
  return finished();
}

void TranslationPool::drop_removed() {
  const auto is_removed = [](const auto& worker) { return worker->removed; };
  if (std::ranges::none_of(at_work_, is_removed)) return;
  std::vector<Index> chosen;
  Index row = 0;
  for (const std::unique_ptr<Worker>& worker : at_work_)
    for (std::size_t i = 0; i < worker->sentence.said().size(); ++i, ++row)
      if (!worker->removed) chosen.push_back(row);
  std::erase_if(at_work_, [&](const auto& worker) {
    if (worker->removed) used_ -= worker->cost;
    return worker->removed;
  });
  if (chosen.empty())
    progress_.reset();
  else
    progress_->reorder(chosen);
}

// Not one by one, for the encoder is slow on single ones: only when an eighth of the room is free.
void TranslationPool::take_up() {
  if (!at_work_.empty() && batch_tokens_ - used_ < batch_tokens_ / 8) return;
  std::vector<Ids> fresh;
  while (!waiting_.empty()) {
    Worker& next = *waiting_.front();
    if (!at_work_.empty() && used_ + next.cost > batch_tokens_) break;
    fresh.push_back(next.input.source);
    used_ += next.cost;
    asked_ -= next.cost;
    at_work_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  if (fresh.empty()) return;
  std::unique_ptr<Progress> more = model_.start(TokenIds::ragged(fresh), Pass{});
  if (progress_)
    progress_->join(*more);
  else
    progress_ = std::move(more);
}

void TranslationPool::step() {
  Ids said;
  for (const std::unique_ptr<Worker>& worker : at_work_)
    said.insert(said.end(), worker->sentence.said().begin(), worker->sentence.said().end());
  Tensor log_p = model_.output().log_probabilities(model_.step(said, *progress_, Pass{}));
  std::vector<Index> chosen;
  Index first = 0;
  for (const std::unique_ptr<Worker>& worker : at_work_) {
    const auto rows = static_cast<Index>(worker->sentence.said().size());
    try {
      worker->sentence.advance(log_p, first);
      for (const Index parent : worker->sentence.parents()) chosen.push_back(first + parent);
    } catch (const Error&) {
      worker->error = std::current_exception();  // no number: the others have theirs
    }
    first += rows;
  }
  if (chosen.empty())
    progress_.reset();
  else if (!is_identity(chosen, first))
    progress_->reorder(chosen);
}

std::vector<PoolResult> TranslationPool::finished() {
  std::vector<PoolResult> results;
  std::erase_if(at_work_, [&](const std::unique_ptr<Worker>& worker) {
    if (!worker->done()) return false;
    results.push_back({.ticket = worker->ticket, .best = {}, .error = worker->error});
    if (!worker->error) results.back().best = worker->sentence.results();
    used_ -= worker->cost;
    return true;
  });
  return results;
}

}  // namespace regard
