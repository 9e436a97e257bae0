#include "regard/decode/candidates.h"

#include <algorithm>
#include <cmath>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/tokens/tokenizer.h"

namespace regard {
namespace {

bool likelier(const Candidate& a, const Candidate& b) {
  if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
  return a.token < b.token;
}

}  // namespace

double checked_log_p(double log_p) {
  if (std::isnan(log_p))
    fail(Fault::input, "the model gives probabilities that are not numbers (NaN); its weights are ",
         "broken or too large: take an earlier checkpoint");
  return log_p;
}

std::vector<Candidate> allowed(const std::vector<Candidate>& candidates, Index generated,
                               Index count, const DecodeSpec& spec) {
  std::vector<Candidate> result;
  for (const Candidate& each : candidates) {
    if (static_cast<Index>(result.size()) == count) break;
    checked_log_p(each.log_probability);
    const bool early = each.token == kEos && generated < spec.min_length;
    if (each.token != kPad && each.token != kBos && !early) result.push_back(each);
  }
  return result;
}

std::vector<Candidate> sample_token(std::vector<Candidate> among, double uniform,
                                    const DecodeSpec& spec) {
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

}  // namespace regard
