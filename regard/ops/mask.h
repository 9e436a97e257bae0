#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "regard/autograd/var.h"
#include "regard/backend/launch.h"
#include "regard/backend/mask_view.h"
#include "regard/backend/softmax.h"

namespace regard {

/// Which keys a query may see, as a value; masks join with `&`. Scores are [B, H, T, S]; query t
/// stands at position p = t + S - T, so the last query stands at the last key (with T = S, at its
/// own key). A query that sees no key gets output 0 and gradient 0.
class Mask {
 public:
  /// visible(t, s) = true
  static Mask full() { return {}; }
  /// visible(t, s) = s <= p
  static Mask causal() { return window(kUnbounded, 0); }
  /// visible(t, s) = p - left <= s <= p + right
  static Mask window(Index left, Index right);
  /// visible(t, s) = s < lens[b]
  static Mask valid(std::vector<Index> lens);
  /// visible(t, s) = s < lens[b * T + t]
  static Mask valid(std::vector<Index> lens, Index queries);
  /// visible(t, s) = allowed(b, h, t, s), a table that broadcasts to [B, H, T, S]
  static Mask table(Shape shape, std::vector<std::uint8_t> allowed);
  /// adds bias(b, h, t, s), broadcast to [B, H, T, S], to the score; at or below -FLT_MAX it hides
  static Mask additive(Var bias);
  /// takes slopes[h] |p - s| off the score (Press et al. 2022, ALiBi)
  static Mask distance(std::vector<double> slopes);

  /// Both at once.
  friend Mask operator&(const Mask& a, const Mask& b);

  static constexpr Index kUnbounded = MaskView<f32>::kUnbounded;

  const Var& bias() const { return bias_; }
  bool is_full() const;   ///< hides nothing and adds nothing
  Mask detached() const;  ///< the same, holding the bias's value but not the graph behind it

  /// Throws Error unless the mask fits the scores.
  void check_fits(const ScoreShape& shape) const;

  /// Can query t of batch row b, head h see key s?
  bool visible(const ScoreShape& shape, Index b, Index h, Index t, Index s) const;
  /// For each (b, s): does any query of any head see the key? [B * S]
  std::vector<std::uint8_t> seen_keys(const ScoreShape& shape) const;

  /// As kernels read it, in the scores' number type. Valid while this mask and `keeper` live.
  Untyped<MaskView<std::byte>> view(const ScoreShape& shape, Dtype dtype, Tensor& keeper) const;

 private:
  struct Lens {
    std::vector<Index> lens;
    Index queries = 0;  // 0: one length for all queries of a row
  };
  struct Table {
    Shape shape;
    std::vector<std::uint8_t> allowed;
  };
  static std::shared_ptr<const Lens> shorter(const Lens& a, const Lens& b);
  static Table shown_by(const Var& bias);
  static std::shared_ptr<const Table> both(const Table& a, const Table& b);

  Index left_ = kUnbounded, right_ = kUnbounded;
  std::shared_ptr<const Lens> lens_;
  std::shared_ptr<const Table> table_;
  Var bias_;
  std::shared_ptr<const std::vector<double>> slopes_;
};

}  // namespace regard
