#include "regard/attention/mechanism.h"

namespace regard::mechanisms {
namespace {

/// Every visible key counts the same: the mean of the values.
class Average final : public Attention {
 protected:
  Var attend(const QueryKeyValue& in, const Pass& pass) const override {
    const ScoreShape shape = in.shape();
    const Var scores(Tensor({shape.rows, shape.heads, shape.queries, shape.keys}, in.q.dtype()));
    return weigh(scores, in, pass);
  }
};

}  // namespace

extern const Mechanism average{
    .name = "average",
    .formula = "mean of v",
    .paper = "the baseline of Nadaraya 1964 and Watson 1964",
    .same_width = false,
    .make = [](const MechanismSpec&) -> std::unique_ptr<Attention> {
      return std::make_unique<Average>();
    },
};

}  // namespace regard::mechanisms
