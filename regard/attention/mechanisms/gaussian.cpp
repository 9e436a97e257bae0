#include "regard/attention/mechanism.h"
#include "regard/ops/scale.h"
#include "regard/ops/squared_distance.h"

namespace regard::mechanisms {
namespace {

/// Nadaraya-Watson kernel regression with a Gaussian kernel: nothing to learn.
class Gaussian final : public Attention {
 protected:
  Var attend(const QueryKeyValue& in, const Pass& pass) const override {
    return weigh(scale(squared_distance(in.q, in.k), -0.5), in, pass);  // scores [B, H, T, S]
  }
};

}  // namespace

extern const Mechanism gaussian{
    .name = "gaussian",
    .formula = "softmax(-|q - k|^2 / 2) v",
    .paper = "Nadaraya 1964; Watson 1964",
    .make = [](const MechanismSpec&) -> std::unique_ptr<Attention> {
      return std::make_unique<Gaussian>();
    },
};

}  // namespace regard::mechanisms
