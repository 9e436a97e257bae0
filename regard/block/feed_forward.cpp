#include "regard/block/feed_forward.h"

#include "regard/ops/linear.h"

namespace regard {

FeedForward::FeedForward(const FeedForwardSpec& spec)
    : widen({.in = spec.width,
             .out = spec.hidden,
             .dtype = spec.dtype,
             .rng = spec.rng.fork("widen")}),
      narrow({.in = spec.hidden,
              .out = spec.width,
              .dtype = spec.dtype,
              .rng = spec.rng.fork("narrow")}),
      activation(spec.activation),
      dropout(spec.dropout) {}

Var FeedForward::operator()(const Var& x, const Pass& pass) const {
  if (!pass.training || dropout == 0) return narrow(widen(x, activation));
  return narrow(dropped_linear(x, widen.weight, widen.bias, activation,
                               {dropout, pass.rng.fork("dropout")}));  // [..., F]
}

}  // namespace regard
