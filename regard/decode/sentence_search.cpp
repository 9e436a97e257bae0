#include "regard/decode/sentence_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/base/elementary.h"
#include "regard/tokens/tokenizer.h"

namespace regard {
namespace {

/// Tokens a translation may have, whatever the ratio says.
constexpr double kAlways = 10;

Index length_limit(const SentenceInput& in, const DecodeSpec& spec) {
  Index limit = spec.max_length;
  if (spec.max_ratio > 0) {
    const auto tokens = static_cast<double>(std::max<Index>(in.source_tokens - 1, 0));
    const double most = std::floor(spec.max_ratio * tokens + kAlways);
    if (most < static_cast<double>(limit)) limit = static_cast<Index>(most);
  }
  return std::max(limit, static_cast<Index>(in.prefix.size()));
}

Rng draws_of(const SourcePlace& place, const DecodeSpec& spec) {
  const Rng line = Rng(static_cast<std::uint64_t>(spec.seed))
                       .fork("sample")
                       .fork(static_cast<std::uint64_t>(place.line));
  return place.piece == 0 ? line : line.fork(static_cast<std::uint64_t>(place.piece));
}

}  // namespace

SentenceSearch::SentenceSearch(const SentenceInput& in, const DecodeSpec& spec)
    : spec_(&spec),
      prefix_(in.prefix),
      log_(in.log),
      rng_(draws_of(in.place, spec)),
      limit_(length_limit(in, spec)),
      live_(1),
      parents_{0},
      last_tokens_{kBos} {}

// Wu et al. 2016, arXiv:1609.08144, equation 14.
double SentenceSearch::penalty(Index tokens) const {
  return elementary::pow((5 + static_cast<double>(tokens)) / 6, spec_->length_penalty);
}

Index SentenceSearch::wanted() const {
  if (length() == limit_) return 1;  // only to know whether the end is the likeliest
  return spec_->sample ? spec_->top_k : spec_->beam - static_cast<Index>(ended_.size());
}

TokenAsk SentenceSearch::asks() const {
  const auto generated = static_cast<std::size_t>(length());
  if (generated < prefix_.size()) return {.named = prefix_[generated]};
  if (spec_->sample && spec_->top_k == 0 && length() < limit_) return {.named = kEos, .all = true};
  return {.top = wanted() + kMaxForbidden, .named = kEos};
}

void SentenceSearch::advance(Rows rows) {
  parents_.clear();
  last_tokens_.clear();
  if (length() < static_cast<Index>(prefix_.size())) {
    take_prefix(rows);
  } else {
    ends_.clear();
    for (const NextTokens& row : rows) ends_.push_back(checked_log_p(row.named));
    if (length() == limit_)
      end_all(rows);
    else if (spec_->sample)
      draw(rows);
    else
      search(rows);
  }
  live_ = std::move(next_);
  next_.clear();
  stop_if_decided();
}

void SentenceSearch::take_prefix(Rows rows) {
  const std::int32_t token = prefix_[live_[0].ids.size()];
  extend(live_[0], 0, {token, checked_log_p(rows[0].named)});
}

void SentenceSearch::end_all(Rows rows) {
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const std::vector<Candidate> best = allowed(rows[i].candidates, length(), 1, *spec_);
    end(live_[i], ends_[i], !best.empty() && best[0].token == kEos);
  }
}

void SentenceSearch::search(Rows rows) {
  struct Choice {
    double total;
    Candidate candidate;
    Index parent;
  };
  const auto slots = static_cast<std::size_t>(spec_->beam) - ended_.size();
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < live_.size(); ++i) {
    for (const Candidate& candidate :
         allowed(rows[i].candidates, length(), static_cast<Index>(slots), *spec_))
      choices.push_back(
          {live_[i].total + candidate.log_probability, candidate, static_cast<Index>(i)});
  }
  const std::size_t count = std::min(slots, choices.size());
  const auto better = [](const Choice& a, const Choice& b) {
    if (a.total != b.total) return a.total > b.total;
    if (a.candidate.token != b.candidate.token) return a.candidate.token < b.candidate.token;
    return a.parent < b.parent;
  };
  std::partial_sort(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(count),
                    choices.end(), better);
  for (std::size_t c = 0; c < choices.size(); ++c) {
    const Choice& choice = choices[c];
    const Live& from = live_[static_cast<std::size_t>(choice.parent)];
    if (c >= count)
      note(from, choice.candidate, BeamState::pruned);
    else if (choice.candidate.token == kEos)
      end(from, choice.candidate.log_probability, true);
    else
      extend(from, choice.parent, choice.candidate);
  }
  if (choices.empty() && ended_.empty()) end_all(rows);  // every way on is impossible or forbidden
}

void SentenceSearch::draw(Rows rows) {
  const bool parting = live_[0].ids.size() == prefix_.size();  // all samples begin as one row
  for (Index n = 1; parting && n < spec_->n_best; ++n) {
    live_.push_back(live_[0]);
    live_.back().sample = n;
  }
  const Rng rng = rng_.fork(live_[0].ids.size());
  const auto among = [&](const NextTokens& next) {
    if (spec_->top_k > 0) return allowed(next.candidates, length(), spec_->top_k, *spec_);
    return allowed(next.every(), length(), std::numeric_limits<Index>::max(), *spec_);
  };
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const std::size_t row = parting ? 0 : i;
    const double uniform = rng.uniform(static_cast<std::uint64_t>(live_[i].sample));
    const std::vector<Candidate> next = sample_token(among(rows[row]), uniform, *spec_);
    if (next.empty() || next[0].token == kEos)
      end(live_[i], ends_[row], !next.empty());
    else
      extend(live_[i], static_cast<Index>(row), next[0]);
  }
}

void SentenceSearch::extend(const Live& from, Index row, const Candidate& next) {
  Live& one = next_.emplace_back(from);
  one.ids.push_back(next.token);
  one.log_p.push_back(next.log_probability);
  one.total += next.log_probability;
  one.node = note(from, next, BeamState::kept);
  parents_.push_back(row);
  last_tokens_.push_back(next.token);
}

void SentenceSearch::end(const Live& from, double log_p, bool finished) {
  note(from, {kEos, log_p}, BeamState::final);
  Hypothesis whole{.ids = from.ids,
                   .log_probability = from.total + log_p,
                   .token_log_probabilities = from.log_p,
                   .finished = finished};
  whole.token_log_probabilities.push_back(log_p);
  whole.score =
      whole.log_probability / penalty(static_cast<Index>(whole.token_log_probabilities.size()));
  const auto place =
      std::ranges::upper_bound(ended_, whole.score, std::greater{}, &Hypothesis::score);
  ended_.insert(place, std::move(whole));
}

// Each further token costs, so a score can only rise by a better penalty: the best case is the one
// of the two extreme lengths that divides by more.
void SentenceSearch::stop_if_decided() {
  if (live_.empty() || spec_->sample || static_cast<Index>(ended_.size()) < spec_->n_best) return;
  const double worst = ended_[static_cast<std::size_t>(spec_->n_best) - 1].score;
  const auto soonest = static_cast<Index>(live_[0].ids.size()) + 1;
  const double divisor = std::max(penalty(soonest), penalty(limit_ + 1));
  for (const Live& one : live_)
    if (one.total / divisor > worst) return;
  for (const Live& one : live_)
    if (log_) log_->nodes[static_cast<std::size_t>(one.node)].state = BeamState::pruned;
  live_.clear();
  parents_.clear();
  last_tokens_.clear();
}

Index SentenceSearch::note(const Live& from, const Candidate& next, BeamState state) {
  if (!log_) return -1;
  const double total = from.total + next.log_probability;
  return log_->add({.parent = from.node,
                    .token = next.token,
                    .log_probability = total,
                    .score = total / penalty(static_cast<Index>(from.ids.size()) + 1),
                    .state = state});
}

std::vector<Hypothesis> SentenceSearch::results() const {
  const std::size_t count = std::min(ended_.size(), static_cast<std::size_t>(spec_->n_best));
  return {ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace regard
