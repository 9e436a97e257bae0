#include "regard/attention/mechanism.h"
#include "regard/ops/multiply.h"
#include "regard/ops/scale.h"
#include "regard/ops/squared_distance.h"

namespace regard::mechanisms {
namespace {

/// The Gaussian kernel with a learned width: w large looks at near keys alone, w small at all.
class LearnedGaussian final : public Attention {
 public:
  explicit LearnedGaussian(const MechanismSpec& spec)
      : width_(Tensor::full({spec.heads, 1, 1}, 1, spec.dtype), /*trainable=*/true) {}

  void each(const Visit& visit) override { visit("width", width_); }

 protected:
  Var attend(const QueryKeyValue& in, const Pass& pass) const override {
    const Var distance = squared_distance(in.q, in.k);                // [B, H, T, S]
    const Var scores = multiply(distance, multiply(width_, width_));  // |(q - k) w|^2
    return weigh(scale(scores, -0.5), in, pass);
  }

 private:
  Var width_;  // [H, 1, 1]
};

}  // namespace

extern const Mechanism gaussian_learned{
    .name = "gaussian-learned",
    .formula = "softmax(-|(q - k) w|^2 / 2) v",
    .paper =
        "Nadaraya 1964; Watson 1964; the width learned as in Zhang et al., Dive into Deep Learning",
    .make = [](const MechanismSpec& spec) -> std::unique_ptr<Attention> {
      return std::make_unique<LearnedGaussian>(spec);
    },
};

}  // namespace regard::mechanisms
