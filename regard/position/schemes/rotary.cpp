#include "regard/ops/rotary.h"

#include "regard/position/position.h"
#include "regard/position/sinusoids.h"

namespace regard::schemes {
namespace {

/// Queries and keys rotated by their position, so that their product knows the distance alone.
class Rotary final : public Position {
 public:
  Var rotate(const HeadColumns& heads, std::span<const Index> positions) const override {
    // The pairs (sin, cos) of a head's width are the very table of sinusoidal positions.
    Sinusoids found =
        sinusoids(positions, heads.width, SinusoidLayout::interleaved, heads.rows.dtype());
    return regard::rotary(heads, {std::move(found.table), std::move(found.row)});
  }
};

}  // namespace

extern const PositionScheme rotary{
    .name = "rotary",
    .formula = "q, k: each pair (2j, 2j+1) turned by i / 10000^(2j/d)",
    .paper = "Su et al. 2021, RoFormer, arXiv:2104.09864",
    .make = [](const PositionSpec&) -> std::unique_ptr<Position> {
      return std::make_unique<Rotary>();
    },
};

}  // namespace regard::schemes
