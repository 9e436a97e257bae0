#pragma once

#include "regard/attention/mechanism.h"
#include "regard/block/linear.h"

namespace regard {

struct FeedForwardSpec {
  Index width = 0, hidden = 0;
  Activation activation = Activation::relu;
  double dropout = 0;  ///< of the hidden layer, when training
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// The position-wise network of a Transformer block: widen, bend, narrow.   [..., D] -> [..., D]
struct FeedForward {
  Linear widen, narrow;
  Activation activation;
  double dropout;

  explicit FeedForward(const FeedForwardSpec& spec);

  Var operator()(const Var& x, const Pass& pass) const;

  void each(auto&& visit) {
    visit("widen", widen);
    visit("narrow", narrow);
  }
};

}  // namespace regard
