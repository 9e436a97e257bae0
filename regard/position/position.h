#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "regard/autograd/var.h"
#include "regard/base/rng.h"
#include "regard/ops/attention_inputs.h"
#include "regard/ops/mask.h"

namespace regard {

/// How a network learns where a token stands. Attention alone cannot tell: to it a sentence is a
/// set. A scheme acts in one of three places, and leaves the others alone.
class Position {
 public:
  using Visit = std::function<void(std::string_view name, Var& parameter)>;

  virtual ~Position() = default;

  /// On the embeddings: x plus something of each row's position.   x [..., D], positions: one a row
  virtual Var add_to(const Var& x, std::span<const Index> positions) const;

  /// On queries and keys: the rows with those heads rotated by each row's position.
  virtual Var rotate(const HeadColumns& heads, std::span<const Index> positions) const;

  /// On the scores of self-attention: what is added to them.
  virtual Mask mask(Index heads) const;

  virtual void each(const Visit&) {}  ///< parameters of its own
};

/// What a scheme is made for.
struct PositionSpec {
  Index width = 0;     ///< D of the embeddings
  Index length = 512;  ///< positions a learned table has; the others know no bound
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// A scheme on the shelf: what it is called, what it computes, how to make one.
struct PositionScheme {
  std::string_view name, formula, paper;
  std::unique_ptr<Position> (*make)(const PositionSpec& spec);
};

/// Every scheme of this build, in the order of their files' names; made from the files in schemes/.
std::span<const PositionScheme* const> all_position_schemes();

/// The scheme of that name. Throws Error, with the nearest name, if there is none.
const PositionScheme& find_position_scheme(std::string_view name);

}  // namespace regard
