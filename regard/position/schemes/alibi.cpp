#include <vector>

#include "regard/base/elementary.h"
#include "regard/position/position.h"

namespace regard::schemes {
namespace {

/// The slopes of n heads, n a power of two: a geometric row from 2^(-8/n) down to 2^-8.
std::vector<double> geometric_slopes(Index n) {
  std::vector<double> slopes;
  for (Index h = 1; h <= n; ++h)
    slopes.push_back(elementary::exp2(-8 * static_cast<double>(h) / static_cast<double>(n)));
  return slopes;
}

/// The paper's rule for any H: the row of the power of two below, then every other slope of the row
/// of twice as many.
std::vector<double> slopes(Index heads) {
  Index power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes = geometric_slopes(power);
  const std::vector<double> finer = geometric_slopes(2 * power);
  for (std::size_t i = 0; static_cast<Index>(slopes.size()) < heads; i += 2)
    slopes.push_back(finer[i]);
  return slopes;
}

/// Far keys lose score in proportion to their distance, each head at its own rate.
class Alibi final : public Position {
 public:
  Mask mask(Index heads) const override { return Mask::distance(slopes(heads)); }
};

}  // namespace

extern const PositionScheme alibi{
    .name = "alibi",
    .formula = "score - m_h |t - s|, m_h = 2^(-8h/H)",
    .paper = "Press et al. 2022, arXiv:2108.12409",
    .make = [](const PositionSpec&) -> std::unique_ptr<Position> {
      return std::make_unique<Alibi>();
    },
};

}  // namespace regard::schemes
