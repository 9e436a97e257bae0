#pragma once

#include <cstdint>
#include <span>

#include "regard/backend/matmul.h"

namespace regard {

/// What is wanted of softmax(logits) [N, V]: the likeliest tokens of each row, and one named token.
template <class T>
struct TokenQuestion {
  Product<T> logits;                    ///< N, D and V are its sizes; c.data is not used
  std::span<const std::int32_t> named;  ///< [N], negative: none
  Index count = 0;                      ///< of the likeliest
};

template <class T>
struct TokenAnswer {
  Rows<std::int32_t> tokens;  ///< [N, count], largest logit first, then lowest id; -1: none
  Rows<T> log_p;              ///< [N, count]
  T* named = nullptr;         ///< [N]: log p of the named tokens
};

namespace kernel {

/// Of f32 logits only a block of columns exists at a time. The sum of a row's e^z is made of such
/// blocks, of 512 columns each, so that every kernel here gives the same bits.
/// No token of probability 0 is among the likeliest.
struct LikelyTokens {
  static constexpr auto name = "likely_tokens";
  void operator()(Cpu&, const TokenQuestion<f32>& question, const TokenAnswer<f32>& answer) const;
  void operator()(Cpu&, const TokenQuestion<f64>& question, const TokenAnswer<f64>& answer) const;
};
inline constexpr LikelyTokens likely_tokens;

/// x becomes log softmax(x), row by row: with z = x - max x (0 where x is the maximum, even an
/// infinite one), z - log sum e^z. A row of -infinity alone stays that.
struct LogSoftmax {
  static constexpr auto name = "log_softmax";
  void operator()(Cpu&, Rows<f32> x) const;
  void operator()(Cpu&, Rows<f64> x) const;
};
inline constexpr LogSoftmax log_softmax;

}  // namespace kernel
}  // namespace regard
