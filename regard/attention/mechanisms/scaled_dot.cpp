#include <cmath>

#include "regard/attention/mechanism.h"
#include "regard/ops/scale.h"
#include "regard/ops/scores.h"

namespace regard::mechanisms {
namespace {

/// The dot product kept at the size of one feature, so that softmax does not saturate as d grows.
/// Transformer blocks compute the same without ever forming the scores: see ops/attention.h.
class ScaledDot final : public Attention {
 protected:
  Var attend(const QueryKeyValue& in, const Pass& pass) const override {
    const double unit = 1 / std::sqrt(static_cast<double>(in.q.size(3)));
    return weigh(scale(scores(in.q, in.k), unit), in, pass, unit);  // [B, H, T, S]
  }
};

}  // namespace

extern const Mechanism scaled_dot{
    .name = "scaled-dot",
    .formula = "softmax(q k' / sqrt(d)) v",
    .paper = "Vaswani et al. 2017, arXiv:1706.03762",
    .fused = true,
    .make = [](const MechanismSpec&) -> std::unique_ptr<Attention> {
      return std::make_unique<ScaledDot>();
    },
};

}  // namespace regard::mechanisms
