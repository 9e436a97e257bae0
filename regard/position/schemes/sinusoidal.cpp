#include "regard/position/position.h"
#include "regard/position/sinusoids.h"

namespace regard::schemes {
namespace {

/// Waves of many lengths, like the digits of a binary number that change ever more slowly.
class Sinusoidal final : public Position {
 public:
  Var add_to(const Var& x, std::span<const Index> positions) const override {
    return add_sinusoids(x, positions, SinusoidLayout::interleaved);
  }
};

}  // namespace

extern const PositionScheme sinusoidal{
    .name = "sinusoidal",
    .formula = "x[2j] + sin(i / 10000^(2j/D)), x[2j+1] + cos(i / 10000^(2j/D))",
    .paper = "Vaswani et al. 2017, arXiv:1706.03762",
    .make = [](const PositionSpec&) -> std::unique_ptr<Position> {
      return std::make_unique<Sinusoidal>();
    },
};

}  // namespace regard::schemes
