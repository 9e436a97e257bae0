#pragma once

#include <string>

#include "regard/model/architecture.h"
#include "regard/position/position.h"
#include "tests/support/law.h"

namespace regard::testing {

/// A small model of series of any make.
inline ModelSpec some_forecast_spec(Draw& draw) {
  const auto schemes = all_position_schemes();
  ModelSpec spec{.heads = draw.integer(1, 2),
                 .encoder_layers = draw.integer(1, 2),
                 .position = std::string(
                     schemes[static_cast<std::size_t>(draw.number()) % schemes.size()]->name),
                 .activation = "gelu",
                 .pre_norm = draw.coin()};
  for (const Architecture* each : all_architectures())
    if (each->reads == Reads::series) spec.architecture = each->name;
  spec.width = spec.heads * 4;
  spec.hidden = draw.integer(3, 8);
  spec.context = draw.integer(8, 20);
  spec.horizon = draw.integer(1, 5);
  spec.patch = draw.integer(2, 6);
  spec.stride = draw.integer(1, spec.patch);
  spec.causal = draw.coin();
  if (draw.coin()) spec.quantiles = "0.2,0.5,0.9";
  return spec;
}

}  // namespace regard::testing
