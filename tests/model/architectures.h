#pragma once

#include <string_view>
#include <vector>

#include "regard/model/architecture.h"

namespace regard::testing {

// The architectures that a law is about, by what their records say.

template <class Says>
std::vector<const Architecture*> architectures_that(const Says& says) {
  std::vector<const Architecture*> kinds;
  for (const Architecture* each : all_architectures())
    if (says(*each)) kinds.push_back(each);
  return kinds;
}

inline std::vector<const Architecture*> generating_architectures() {
  return architectures_that([](const Architecture& each) { return each.writes == Writes::text; });
}

inline std::vector<const Architecture*> translating_architectures() {
  return architectures_that([](const Architecture& each) { return each.translates(); });
}

inline std::vector<const Architecture*> labelling_architectures() {
  return architectures_that([](const Architecture& each) { return each.writes == Writes::label; });
}

/// Those that choose among tokens or labels, and so have an output layer.
inline std::vector<const Architecture*> choosing_architectures() {
  return architectures_that([](const Architecture& each) { return each.writes != Writes::series; });
}

inline std::vector<std::string_view> choosing_names() {
  std::vector<std::string_view> names;
  for (const Architecture* each : choosing_architectures()) names.push_back(each->name);
  return names;
}

}  // namespace regard::testing
