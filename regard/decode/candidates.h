#pragma once

#include <cstdint>
#include <vector>

#include "regard/decode/spec.h"
#include "regard/logits/next_tokens.h"

namespace regard {

/// Tokens that may be forbidden at once: padding, begin, and the end of a text still too short.
inline constexpr Index kMaxForbidden = 3;

/// The candidates that may follow that many tokens, at most `count` of them.
std::vector<Candidate> allowed(const std::vector<Candidate>& candidates, Index generated,
                               Index count, const DecodeSpec& spec);

/// The log p as it came. Throws Error(input) if it is not a number.
double checked_log_p(double log_p);

/// One of the candidates, drawn by `uniform` in [0, 1) as the spec says, its log p as it came; none
/// where there are none.
std::vector<Candidate> sample_token(std::vector<Candidate> among, double uniform,
                                    const DecodeSpec& spec);

}  // namespace regard
