#include "regard/decode/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/tokens/tokenizer.h"

namespace regard {
namespace {

template <Real T>
constexpr T kNever = -std::numeric_limits<T>::infinity();

bool likelier(const Candidate& a, const Candidate& b) {
  if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
  return a.token < b.token;
}

template <Real T>
void check_number(T log_p) {
  if (std::isnan(log_p))
    fail(Fault::input, "the model gives probabilities that are not numbers (NaN); its weights are ",
         "broken or too large: take an earlier checkpoint");
}

/// The tokens of a probability, in the order of their ids.
template <Real T>
std::vector<Candidate> possible(std::span<const T> log_p) {
  std::vector<Candidate> result;
  for (std::size_t v = 0; v < log_p.size(); ++v) {
    check_number(log_p[v]);
    if (log_p[v] != kNever<T>)
      result.push_back({static_cast<std::int32_t>(v), static_cast<double>(log_p[v])});
  }
  return result;
}

}  // namespace

template <Real T>
void hide_forbidden(std::span<T> log_p, std::span<const std::int32_t> said,
                    const DecodeSpec& spec) {
  const auto hide = [&](std::int32_t token) {
    if (static_cast<std::size_t>(token) < log_p.size())
      log_p[static_cast<std::size_t>(token)] = kNever<T>;
  };
  hide(kPad);
  hide(kBos);
  if (static_cast<Index>(said.size()) < spec.min_length) hide(kEos);
}

template <Real T>
double log_probability_of(std::span<const T> log_p, std::int32_t token) {
  const T value = log_p[static_cast<std::size_t>(token)];
  check_number(value);
  return static_cast<double>(value);
}

template <Real T>
std::vector<Candidate> likeliest(std::span<const T> log_p, Index count) {
  std::vector<Candidate> best;
  const auto most = static_cast<std::size_t>(count);
  T least = kNever<T>;  // one pass over V: nearly every token fails this one comparison
  for (std::size_t v = 0; v < log_p.size(); ++v) {
    if (log_p[v] <= least) continue;
    check_number(log_p[v]);
    const Candidate fresh{static_cast<std::int32_t>(v), static_cast<double>(log_p[v])};
    if (best.size() == most) best.pop_back();
    best.insert(std::ranges::upper_bound(best, fresh, likelier), fresh);
    if (best.size() == most) least = static_cast<T>(best.back().log_probability);
  }
  return best;
}

template <Real T>
std::vector<Candidate> drawn(std::span<const T> log_p, double uniform, const DecodeSpec& spec) {
  std::vector<Candidate> among = spec.top_k > 0 ? likeliest(log_p, spec.top_k) : possible<T>(log_p);
  if (among.empty()) return among;
  if (spec.top_k == 0 && spec.top_p < 1) std::ranges::sort(among, likelier);
  const double peak = std::ranges::min_element(among, likelier)->log_probability;
  double total = 0;
  std::vector<double> sums;
  for (const Candidate& candidate : among)
    sums.push_back(total += elementary::exp((candidate.log_probability - peak) / spec.temperature));
  if (spec.top_p < 1) {
    const auto enough = std::ranges::lower_bound(sums, spec.top_p * total);
    if (enough != sums.end()) sums.erase(enough + 1, sums.end());
  }
  const auto place = std::ranges::upper_bound(sums, uniform * sums.back());
  return {among[std::min(static_cast<std::size_t>(place - sums.begin()), sums.size() - 1)]};
}

template void hide_forbidden(std::span<f32>, std::span<const std::int32_t>, const DecodeSpec&);
template void hide_forbidden(std::span<f64>, std::span<const std::int32_t>, const DecodeSpec&);
template double log_probability_of(std::span<const f32>, std::int32_t);
template double log_probability_of(std::span<const f64>, std::int32_t);
template std::vector<Candidate> likeliest(std::span<const f32>, Index);
template std::vector<Candidate> likeliest(std::span<const f64>, Index);
template std::vector<Candidate> drawn(std::span<const f32>, double, const DecodeSpec&);
template std::vector<Candidate> drawn(std::span<const f64>, double, const DecodeSpec&);

}  // namespace regard
