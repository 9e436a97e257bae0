#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "regard/autograd/var.h"
#include "regard/base/rng.h"
#include "regard/ops/mask.h"

namespace regard {

/// What a listener may read of one attention call, for batch row b and head h. Computed on asking.
struct AttentionCapture {
  std::string where{};  ///< the layer that called, as its passes went: "decoder/2/cross"
  Index batch = 0, heads = 0;
  std::function<Tensor(Index b, Index h)> scores;   ///< [T, S], before the mask
  std::function<Tensor(Index b, Index h)> weights;  ///< [T, S], rows sum to 1 or are all 0
  /// [T, d] and [S, d], as compared, where scores are `scale` times their dot products; else empty.
  std::function<Tensor(Index b, Index h)> queries{}, keys{};
  double scale = 0;
  std::function<Tensor(Index b, Index h)> values{};  ///< [S, dv]: what the weights mix
  Var all_scores{};  ///< [B, H, T, S] with what they came from; empty if they were never formed
};

/// One trip through the network: everything a forward pass needs that is not a parameter.
struct Pass {
  bool training = false;
  Rng rng{0};  ///< forked per layer, never drawn from directly
  std::function<void(const AttentionCapture&)>
      on_attention{};  ///< called with the weights; empty: not captured
  std::string path{};  ///< of the layer inside the model, for the listener

  /// The same trip inside a layer of that name or number.
  Pass inside(std::string_view name) const {
    return {training, rng.fork(name), on_attention, below(name)};
  }
  Pass inside(std::uint64_t number) const {
    return {training, rng.fork(number), on_attention,
            on_attention ? below(std::to_string(number)) : ""};
  }

 private:
  std::string below(std::string_view name) const {
    if (!on_attention) return {};
    return path.empty() ? std::string(name) : path + "/" + std::string(name);
  }
};

/// What attention reads.   q [B, H, T, dq]   k [B, G, S, dk]   v [B, G, S, dv]
/// G divides H: query head h reads key head h / (H / G). G = H is plain multi-head, G = 1
/// multi-query.
struct QueryKeyValue {
  Var q, k, v;
  Mask mask{};
  double dropout = 0;     ///< of the weights, when training
  bool prepared = false;  ///< k is what keys() made of them; REQUIRES G = H, no NaN in k and v

  ScoreShape shape() const { return {q.size(0), q.size(1), q.size(2), k.size(2)}; }
};

/// A mechanism at work inside one layer.
class Attention {
 public:
  using Visit = std::function<void(std::string_view name, Var& parameter)>;

  virtual ~Attention() = default;

  /// [B, H, T, dv]. What a key or value holds that no query sees is never read.
  Var operator()(const QueryKeyValue& in, const Pass& pass) const;

  /// The part of its work that asks for keys alone, k [B, H, S, dk], row by row: done once where
  /// the same keys meet queries many times.   -> [B, H, S, any]
  virtual Var keys(const Var& k) const { return k; }

  virtual void each(const Visit&) {}  ///< parameters of its own

 protected:
  /// The mechanism itself. The operands fit, G = H, and the keys are prepared.
  virtual Var attend(const QueryKeyValue& in, const Pass& pass) const = 0;
};

/// The end of every mechanism that forms weights: masked softmax of scores [B, H, T, S], shown to
/// the listener, dropped out, and the values mixed by them -> [B, H, T, dv]. Where the scores are
/// some scale times the dot products of q and k, a listener may be told: 0 is none.
Var weigh(const Var& scores, const QueryKeyValue& in, const Pass& pass, double dot_scale = 0);

/// The rows of each head by its own matrix.   x [B, H, T, in]   weight [H, in, out]
Var projected(const Var& x, const Var& weight);

/// What a mechanism is made for.
struct MechanismSpec {
  Index heads = 1;
  Index query_width = 0, key_width = 0;  ///< of one head
  Index hidden = 0;                      ///< inner width where there is one; 0: the key's
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// A mechanism on the shelf: what it is called, what it can do, how to make one.
struct Mechanism {
  std::string_view name, formula, paper;
  bool same_width = true;  ///< queries and keys must have one width
  bool fused = false;      ///< ops/attention.h computes it without forming the scores
  std::unique_ptr<Attention> (*make)(const MechanismSpec& spec);
};

/// Every mechanism of this build, in the order of their names; made from the files in mechanisms/.
std::span<const Mechanism* const> all_mechanisms();

/// The mechanism of that name. Throws Error, with the nearest name, if there is none.
const Mechanism& find_mechanism(std::string_view name);

/// A mechanism of that kind for the spec; Error if the widths do not fit it.
std::unique_ptr<Attention> make_attention(const Mechanism& mechanism, const MechanismSpec& spec);

}  // namespace regard
