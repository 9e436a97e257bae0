#include "regard/decode/sentence.h"

#include <algorithm>
#include <cmath>

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

/// The sentence's own rows of log p.
template <Real T>
struct Sentence::Rows {
  T* data;
  Index width;

  std::span<T> operator[](std::size_t i) const {
    return {data + static_cast<Index>(i) * width, static_cast<std::size_t>(width)};
  }
};

Sentence::Sentence(const SentenceInput& in, const DecodeSpec& spec)
    : spec_(&spec),
      prefix_(in.prefix),
      log_(in.log),
      rng_(draws_of(in.place, spec)),
      limit_(length_limit(in, spec)),
      live_(1),
      parents_{0},
      said_{kBos} {}

// Wu et al. 2016, arXiv:1609.08144, equation 14.
double Sentence::penalty(Index tokens) const {
  return elementary::pow((5 + static_cast<double>(tokens)) / 6, spec_->length_penalty);
}

void Sentence::advance(Tensor& log_p, Index first) {
  visit(log_p.dtype(), [&]<class T>(T) {
    const Index V = log_p.size(1);
    const Rows<T> rows{log_p.span<T>().data() + first * V, V};
    const std::size_t length = live_[0].ids.size();
    parents_.clear();
    said_.clear();
    if (length < prefix_.size()) return take_prefix(rows);
    forbid(rows);
    if (static_cast<Index>(length) == limit_)
      end_all(rows);
    else if (spec_->sample)
      draw(rows);
    else
      search(rows);
  });
  live_ = std::move(next_);
  next_.clear();
  stop_if_decided();
}

template <Real T>
void Sentence::take_prefix(const Rows<T>& rows) {
  const std::int32_t token = prefix_[live_[0].ids.size()];
  go_on(live_[0], 0, {token, log_probability_of<T>(rows[0], token)});
}

template <Real T>
void Sentence::forbid(const Rows<T>& rows) {
  ends_.clear();  // what ends by a limit pays for its end even where the end is forbidden
  for (std::size_t i = 0; i < live_.size(); ++i) {
    ends_.push_back(log_probability_of<T>(rows[i], kEos));
    hide_forbidden(rows[i], live_[i].ids, *spec_);
  }
}

template <Real T>
void Sentence::end_all(const Rows<T>& rows) {
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const std::vector<Candidate> best = likeliest<T>(rows[i], 1);
    end(live_[i], ends_[i], !best.empty() && best[0].token == kEos);
  }
}

template <Real T>
void Sentence::search(const Rows<T>& rows) {
  struct Choice {
    double total;
    Candidate candidate;
    Index parent;
  };
  const auto slots = static_cast<std::size_t>(spec_->beam) - ended_.size();
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < live_.size(); ++i) {
    for (const Candidate& candidate : likeliest<T>(rows[i], static_cast<Index>(slots)))
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
      go_on(from, choice.parent, choice.candidate);
  }
  if (choices.empty() && ended_.empty()) end_all(rows);  // every way on is impossible or forbidden
}

template <Real T>
void Sentence::draw(const Rows<T>& rows) {
  const bool parting = live_[0].ids.size() == prefix_.size();  // all samples begin as one row
  for (Index n = 1; parting && n < spec_->n_best; ++n) {
    live_.push_back(live_[0]);
    live_.back().sample = n;
  }
  const Rng rng = rng_.fork(live_[0].ids.size());
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const std::size_t row = parting ? 0 : i;
    const double uniform = rng.uniform(static_cast<std::uint64_t>(live_[i].sample));
    const std::vector<Candidate> next = drawn<T>(rows[row], uniform, *spec_);
    if (next.empty() || next[0].token == kEos)
      end(live_[i], ends_[row], !next.empty());
    else
      go_on(live_[i], static_cast<Index>(row), next[0]);
  }
}

void Sentence::go_on(const Live& from, Index row, const Candidate& next) {
  Live& one = next_.emplace_back(from);
  one.ids.push_back(next.token);
  one.log_p.push_back(next.log_probability);
  one.total += next.log_probability;
  one.node = note(from, next, BeamState::kept);
  parents_.push_back(row);
  said_.push_back(next.token);
}

void Sentence::end(const Live& from, double log_p, bool finished) {
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
void Sentence::stop_if_decided() {
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
  said_.clear();
}

Index Sentence::note(const Live& from, const Candidate& next, BeamState state) {
  if (!log_) return -1;
  const double total = from.total + next.log_probability;
  return log_->add({.parent = from.node,
                    .token = next.token,
                    .log_probability = total,
                    .score = total / penalty(static_cast<Index>(from.ids.size()) + 1),
                    .state = state});
}

std::vector<Hypothesis> Sentence::results() const {
  const std::size_t count = std::min(ended_.size(), static_cast<std::size_t>(spec_->n_best));
  return {ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace regard
