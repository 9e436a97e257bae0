#include "regard/cli/forecast/simple_forecasts.h"

#include "regard/cli/forecast/continuation.h"

namespace regard {

std::vector<NamedColumn> simple_forecasts(std::span<const float> past, const Scale& scale,
                                          Index horizon, const Windows* train, Index period) {
  std::vector<NamedColumn> columns;
  std::vector<float> future(static_cast<std::size_t>(horizon));
  for (const Baseline* each : usable_baselines(train, period)) {
    each->make(train, period)->forecast(past, future);
    NamedColumn& column = columns.emplace_back(NamedColumn{std::string(each->name), {}});
    for (const float z : future)
      column.values.push_back(as_exact_as_f32(scale.restored(static_cast<double>(z))));
  }
  return columns;
}

}  // namespace regard
