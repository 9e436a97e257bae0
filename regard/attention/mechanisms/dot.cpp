#include "regard/attention/mechanism.h"
#include "regard/ops/scores.h"

namespace regard::mechanisms {
namespace {

/// Queries and keys that point the same way score high; nothing holds the scores' size down.
class Dot final : public Attention {
 protected:
  Var attend(const QueryKeyValue& in, const Pass& pass) const override {
    return weigh(scores(in.q, in.k), in, pass, 1);  // [B, H, T, S]
  }
};

}  // namespace

extern const Mechanism dot{
    .name = "dot",
    .formula = "softmax(q k') v",
    .paper = "Luong et al. 2015, arXiv:1508.04025",
    .make = [](const MechanismSpec&) -> std::unique_ptr<Attention> {
      return std::make_unique<Dot>();
    },
};

}  // namespace regard::mechanisms
