#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regard/base/real.h"
#include "regard/decode/spec.h"

namespace regard {

/// A token that may come next.
struct Candidate {
  std::int32_t token;
  double log_probability;
};

/// Hides from log p [V] what may not follow `said`: padding, begin, and the end of a text still too
/// short. Hidden is -infinity.
template <Real T>
void hide_forbidden(std::span<T> log_p, std::span<const std::int32_t> said, const DecodeSpec& spec);

/// log p of one token. Throws Error(input) where it is not a number.
template <Real T>
double log_probability_of(std::span<const T> log_p, std::int32_t token);

/// The likeliest tokens of log p [V], at most `count`, likeliest first, lower ids first where
/// equal; never one of probability 0. Throws Error(input) where log p is not a number. REQUIRES
/// count >= 1
template <Real T>
std::vector<Candidate> likeliest(std::span<const T> log_p, Index count);

/// One token drawn by `uniform` in [0, 1) as the spec says, its log p as it came; none where every
/// probability is 0.
template <Real T>
std::vector<Candidate> drawn(std::span<const T> log_p, double uniform, const DecodeSpec& spec);

}  // namespace regard
