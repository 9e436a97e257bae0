#include "regard/attention/mechanism.h"
#include "regard/ops/normalise_rows.h"
#include "regard/ops/scores.h"

namespace regard::mechanisms {
namespace {

/// Only the angle between query and key counts, not their length: scores lie in [-1, 1].
class Cosine final : public Attention {
 public:
  Var keys(const Var& k) const override { return normalise_rows(k); }

 protected:
  Var attend(const QueryKeyValue& in, const Pass& pass) const override {
    return weigh(scores(normalise_rows(in.q), in.k), in, pass);  // [B, H, T, S]
  }
};

}  // namespace

extern const Mechanism cosine{
    .name = "cosine",
    .formula = "softmax(q k' / |q| |k|) v",
    .paper = "Graves et al. 2014, arXiv:1410.5401 (content addressing)",
    .make = [](const MechanismSpec&) -> std::unique_ptr<Attention> {
      return std::make_unique<Cosine>();
    },
};

}  // namespace regard::mechanisms
