#include "regard/decode/pool.h"

#include <algorithm>
#include <utility>

#include "regard/base/check.h"
#include "regard/tokens/tokenizer.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr std::size_t kArenaChunk = std::size_t{4} << 20;
constexpr Index kEncodedTokens = 512;  // of sources read at once: more only take memory

bool is_identity(const std::vector<Index>& chosen, Index rows) {
  if (static_cast<Index>(chosen.size()) != rows) return false;
  for (Index i = 0; i < rows; ++i)
    if (chosen[static_cast<std::size_t>(i)] != i) return false;
  return true;
}

}  // namespace

void check_search(const SequenceModel& model, const DecodeSpec& spec) {
  const Index V = model.output().vocabulary();
  check(V > kEos, "a vocabulary of ", V, " tokens has no end of sentence");
  check(spec.beam >= 1 && spec.n_best >= 1, "a beam of ", spec.beam, " and ", spec.n_best,
        " best; expected 1 or more of each");
  check(spec.sample || spec.n_best <= spec.beam, "n_best is ", spec.n_best, ", but a beam of ",
        spec.beam, " keeps no more; use a larger beam or a smaller n_best");
  check(spec.temperature > 0 && spec.top_p > 0 && spec.top_k >= 0,
        "cannot sample with temperature ", spec.temperature, ", top_p ", spec.top_p, " and top_k ",
        spec.top_k, "; expected more than 0, more than 0, and 0 or more");
  check(spec.max_length >= 0 && spec.max_ratio >= 0 && spec.min_length >= 0,
        "lengths and ratios of a search cannot be negative");
}

void check_prefix(const SequenceModel& model, std::span<const std::int32_t> prefix) {
  const Index V = model.output().vocabulary();
  for (const std::int32_t id : prefix)
    check(id > kEos && id < V, "a translation cannot begin with token ", id, "; expected ",
          kEos + 1, " to ", V - 1);
}

/// A sentence and what it was made of, which stays where it is.
struct TranslationPool::Worker {
  Worker(std::uint64_t number, PoolSentence what, Index rows)
      : ticket(number),
        input(std::move(what)),
        sentence(
            {.place = input.place, .source_tokens = rows, .prefix = input.prefix, .log = input.log},
            input.spec),
        cost(input.spec.hypotheses() * std::max<Index>(1, rows)),
        source_rows(rows) {}

  bool done() const { return error || sentence.done(); }

  std::uint64_t ticket;
  PoolSentence input;
  SentenceSearch sentence;
  Index cost, source_rows;
  bool removed = false;
  std::exception_ptr error{};
};

TranslationPool::TranslationPool(const SequenceModel& model, Index batch_tokens)
    : model_(model), batch_tokens_(batch_tokens), arena_(kArenaChunk) {
  check(batch_tokens >= 1, "a pool needs room for a token at least, got ", batch_tokens);
}

TranslationPool::~TranslationPool() = default;

std::uint64_t TranslationPool::add(PoolSentence sentence) {
  check_search(model_, sentence.spec);
  check_prefix(model_, sentence.prefix);
  const Index rows = model_.source_rows(static_cast<Index>(sentence.source.size()));
  waiting_.push_back(std::make_unique<Worker>(next_, std::move(sentence), rows));
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
  for (const std::unique_ptr<Worker>& worker : in_flight_)
    if (is_it(worker)) worker->removed = true;
}

std::vector<PoolResult> TranslationPool::advance() {
  const NoGrad quiet;
  drop_removed();
  {
    const StepScope scope(arena_);
    take_up();
    if (!in_flight_.empty()) step();
  }
  return finished();
}

void TranslationPool::drop_removed() {
  const auto is_removed = [](const auto& worker) { return worker->removed; };
  if (std::ranges::none_of(in_flight_, is_removed)) return;
  std::vector<Index> chosen;
  Index row = 0;
  for (const std::unique_ptr<Worker>& worker : in_flight_)
    for (std::size_t i = 0; i < worker->sentence.last_tokens().size(); ++i, ++row)
      if (!worker->removed) chosen.push_back(row);
  std::erase_if(in_flight_, [&](const auto& worker) {
    if (worker->removed) used_ -= worker->cost;
    return worker->removed;
  });
  if (chosen.empty())
    state_.reset();
  else
    state_->reorder(chosen);
}

// Not one by one, for the encoder is slow on single ones: only when an eighth of the room is free.
void TranslationPool::take_up() {
  if (!in_flight_.empty() && batch_tokens_ - used_ < batch_tokens_ / 8) return;
  std::vector<Ids> fresh;
  Index tokens = 0;
  while (!waiting_.empty()) {
    Worker& next = *waiting_.front();
    if (!in_flight_.empty() && used_ + next.cost > batch_tokens_) break;
    fresh.push_back(next.input.source);
    tokens += next.source_rows;
    used_ += next.cost;
    asked_ -= next.cost;
    in_flight_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    if (tokens < kEncodedTokens) continue;
    begin(std::exchange(fresh, {}));
    tokens = 0;
  }
  if (!fresh.empty()) begin(fresh);
}

void TranslationPool::begin(const std::vector<Ids>& fresh) {
  std::unique_ptr<IncrementalState> more = model_.start(TokenIds::ragged(fresh), Pass{});
  if (state_)
    state_->join(*more);
  else
    state_ = std::move(more);
}

void TranslationPool::step() {
  Ids tokens;
  std::vector<TokenAsk> asks;  // one a row
  for (const std::unique_ptr<Worker>& worker : in_flight_) {
    tokens.insert(tokens.end(), worker->sentence.last_tokens().begin(),
                  worker->sentence.last_tokens().end());
    asks.resize(tokens.size(), worker->sentence.asks());
  }
  const std::vector<NextTokens> next =
      model_.output().next_tokens(model_.step(tokens, *state_, Pass{}), asks);
  std::vector<Index> chosen;
  Index first = 0;
  for (const std::unique_ptr<Worker>& worker : in_flight_) {
    const auto rows = static_cast<Index>(worker->sentence.last_tokens().size());
    try {
      worker->sentence.advance(
          std::span(next).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows)));
      for (const Index parent : worker->sentence.parents()) chosen.push_back(first + parent);
    } catch (const Error&) {
      worker->error = std::current_exception();  // no number: the others have theirs
    }
    first += rows;
  }
  if (chosen.empty())
    state_.reset();
  else if (!is_identity(chosen, first))
    state_->reorder(chosen);
}

std::vector<PoolResult> TranslationPool::finished() {
  std::vector<PoolResult> results;
  std::erase_if(in_flight_, [&](const std::unique_ptr<Worker>& worker) {
    if (!worker->done()) return false;
    results.push_back({.ticket = worker->ticket, .best = {}, .error = worker->error});
    if (!worker->error) results.back().best = worker->sentence.results();
    used_ -= worker->cost;
    return true;
  });
  return results;
}

}  // namespace regard
