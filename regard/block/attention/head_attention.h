#pragma once

#include <memory>
#include <string_view>

#include "regard/attention/mechanism.h"
#include "regard/ops/attention.h"
#include "regard/ops/key_value_cache.h"

namespace regard {

struct HeadAttentionSpec {
  std::string_view mechanism = "scaled-dot";
  Index heads = 1, head_width = 0;
  double dropout = 0;  ///< of the weights, when training
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// Every head of a layer at once, by any mechanism, on rows as projections leave them.
/// A fused mechanism never forms its scores; the others run on [B, H, T, d], sequences of other
/// lengths padded. A listener on the pass sees the weights of either.
struct HeadAttention {
  std::unique_ptr<Attention> mechanism;  ///< nothing: the fused one
  double dropout;

  explicit HeadAttention(const HeadAttentionSpec& spec);

  /// [N, H * dv]
  Var operator()(const AttentionInputs& in, const Mask& mask, const Pass& pass) const;

  /// The same of queries that look at what a cache keeps. Without gradients.
  Var operator()(const HeadColumns& q, const Segments& queries, const KeyValueCache& cache,
                 const Mask& mask, const Pass& pass) const;

  void each(auto&& visit) { visit("mechanism", mechanism); }

 private:
  Var fused(const AttentionInputs& in, const Mask& mask, const Pass& pass) const;
  Var composed(const AttentionInputs& in, const Mask& mask, const Pass& pass) const;
};

}  // namespace regard
