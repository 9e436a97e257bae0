#include "regard/attention/initial.h"
#include "regard/attention/mechanism.h"
#include "regard/ops/additive_scores.h"

namespace regard::mechanisms {
namespace {

/// A small network judges each pair, so queries and keys may differ in width. No biases.
class Additive final : public Attention {
 public:
  explicit Additive(const MechanismSpec& spec)
      : Additive(spec, spec.hidden > 0 ? spec.hidden : spec.key_width) {}

  Var keys(const Var& k) const override { return projected(k, key_); }  // [B, H, S, hidden]

  void each(const Visit& visit) override {
    visit("query", query_);
    visit("key", key_);
    visit("judge", judge_);
  }

 protected:
  Var attend(const QueryKeyValue& in, const Pass& pass) const override {
    const Var q = projected(in.q, query_);  // [B, H, T, hidden]
    return weigh(additive_scores(q, in.k, judge_), in, pass);
  }

 private:
  Additive(const MechanismSpec& spec, Index hidden)
      : query_(initial({spec.heads, spec.query_width, hidden}, spec.rng.fork("query"), spec.dtype)),
        key_(initial({spec.heads, spec.key_width, hidden}, spec.rng.fork("key"), spec.dtype)),
        judge_(initial({spec.heads, hidden}, spec.rng.fork("judge"), spec.dtype)) {}

  Var query_, key_;  // [H, dq, hidden], [H, dk, hidden]
  Var judge_;        // [H, hidden]
};

}  // namespace

extern const Mechanism additive{
    .name = "additive",
    .formula = "softmax(w' tanh(Wq q + Wk k)) v",
    .paper = "Bahdanau et al. 2015, arXiv:1409.0473",
    .same_width = false,
    .make = [](const MechanismSpec& spec) -> std::unique_ptr<Attention> {
      return std::make_unique<Additive>(spec);
    },
};

}  // namespace regard::mechanisms
