#pragma once

#include <cstdint>
#include <vector>

#include "regard/tensor/tensor.h"

namespace regard {

/// A token that may come next.
struct Candidate {
  std::int32_t token;
  double log_probability;
};

/// What is asked of the output layer about one row.
struct TokenAsk {
  Index top = 0;            ///< how many of the likeliest tokens
  std::int32_t named = -1;  ///< a token to score, likely or not; negative: none
  bool all = false;         ///< log p of every token instead of the likeliest
};

/// Its answer. A NaN stays a NaN.
struct NextTokens {
  /// Likeliest first, lower ids first where their logits are equal; never one of probability 0.
  std::vector<Candidate> candidates;
  double named = 0;  ///< log p of the named token
  Tensor all{};      ///< log p of all tokens, of several rows: [., V]
  Index row = 0;     ///< this one's

  /// Every token of a probability, in the order of their ids.   REQUIRES that all were asked for
  std::vector<Candidate> every() const;
};

}  // namespace regard
