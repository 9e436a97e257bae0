#include "regard/position/position.h"
#include "regard/position/sinusoids.h"

namespace regard::schemes {
namespace {

/// The layout of Marian and tensor2tensor: all sines first, then all cosines, and the slowest wave
/// exactly 10000 times as long as the fastest. Models that count from 1 give positions from 1.
class SinusoidalHalves final : public Position {
 public:
  Var add_to(const Var& x, std::span<const Index> positions) const override {
    return add_sinusoids(x, positions, SinusoidLayout::halves);
  }
};

}  // namespace

extern const PositionScheme sinusoidal_halves{
    .name = "sinusoidal-halves",
    .formula = "x[j] + sin(i w), x[D/2+j] + cos(i w), w = 10000^(-j / (D/2-1))",
    .paper = "Junczys-Dowmunt et al. 2018, Marian, arXiv:1804.00344",
    .make = [](const PositionSpec&) -> std::unique_ptr<Position> {
      return std::make_unique<SinusoidalHalves>();
    },
};

}  // namespace regard::schemes
