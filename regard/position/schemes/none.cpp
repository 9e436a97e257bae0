#include "regard/position/position.h"

namespace regard::schemes {

/// Order unseen, but for what a causal mask gives away (Haviv et al. 2022).
extern const PositionScheme none{
    .name = "none",
    .formula = "x",
    .paper = "Haviv et al. 2022, arXiv:2203.16634",
    .make = [](const PositionSpec&) -> std::unique_ptr<Position> {
      return std::make_unique<Position>();
    },
};

}  // namespace regard::schemes
