#include "regard/block/feed_forward.h"

#include "regard/ops/dropout.h"

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
  const double rate = pass.training ? dropout : 0;
  const Var hidden = widen(x, activation);  // [..., F]
  return narrow(regard::dropout(hidden, {rate, pass.rng.fork("dropout")}));
}

}  // namespace regard
