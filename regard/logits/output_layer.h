#pragma once

#include <span>

#include "regard/base/rng.h"
#include "regard/logits/next_tokens.h"
#include "regard/ops/linear_cross_entropy.h"
#include "regard/ops/packed_weight.h"

namespace regard {

struct OutputSpec {
  Index vocabulary = 0, width = 0;  ///< V, D
  bool bias = false;
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// What a model says about the next token: rows [N, D] against a table of tokens [V, D], which may
/// be the embedding's (Press and Wolf 2017, arXiv:1608.05859).
struct OutputLayer {
  Var table;                  ///< [V, D]
  Var table_scale;            ///< [V], where the table is of 8-bit whole numbers
  Var bias;                   ///< [V], or nothing
  PackedWeight packed_table;  ///< [D, V], set in a model that no longer learns; `table` is then a
                              ///< shape

  explicit OutputLayer(const OutputSpec& spec);
  explicit OutputLayer(Var shared_table) : table(std::move(shared_table)) {}

  Index vocabulary() const { return table.size(0); }

  /// Whether the table is of 8-bit whole numbers, packed or not.
  bool is_int8() const { return table_scale || packed_table.is_int8(); }

  /// The loss of each row by its target, as in training.
  TokenLoss loss(const Var& rows, std::span<const std::int32_t> targets,
                 const CrossEntropySpec& spec, double scale) const {
    return linear_cross_entropy({rows, table, bias}, targets, spec, scale);
  }

  /// log p of every token after each row: [N, V].
  Tensor log_probabilities(const Tensor& rows) const;

  /// Of each row what is asked, the same numbers, without storing those of all tokens.
  std::vector<NextTokens> next_tokens(const Tensor& rows, std::span<const TokenAsk> asks) const;

  /// Arranges the table as products read it, for good.
  void pack();

  /// Rounds the table to 8-bit whole numbers, to be saved or packed.
  void quantise();

  void each(auto&& visit) {
    visit("table", table);
    if (table_scale) visit("table_scale", table_scale);
    if (bias) visit("bias", bias);
  }
};

}  // namespace regard
