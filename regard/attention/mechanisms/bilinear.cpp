#include "regard/attention/initial.h"
#include "regard/attention/mechanism.h"
#include "regard/ops/scores.h"

namespace regard::mechanisms {
namespace {

/// A learned form compares queries and keys, which may differ in width.
class Bilinear final : public Attention {
 public:
  explicit Bilinear(const MechanismSpec& spec)
      : form_(initial({spec.heads, spec.query_width, spec.key_width}, spec.rng.fork("form"),
                      spec.dtype)) {}

  void each(const Visit& visit) override { visit("form", form_); }

 protected:
  Var attend(const QueryKeyValue& in, const Pass& pass) const override {
    const Var turned = projected(in.q, form_);     // [B, H, T, dk]
    return weigh(scores(turned, in.k), in, pass);  // [B, H, T, S]
  }

 private:
  Var form_;  // [H, dq, dk]
};

}  // namespace

extern const Mechanism bilinear{
    .name = "bilinear",
    .formula = "softmax(q W k') v",
    .paper = "Luong et al. 2015, arXiv:1508.04025 (there called 'general')",
    .same_width = false,
    .make = [](const MechanismSpec& spec) -> std::unique_ptr<Attention> {
      return std::make_unique<Bilinear>(spec);
    },
};

}  // namespace regard::mechanisms
