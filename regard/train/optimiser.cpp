#include "regard/train/optimiser.h"

#include <vector>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {

const Optimiser& find_optimiser(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Optimiser* optimiser : all_optimisers()) {
    if (optimiser->name == name) return *optimiser;
    names.push_back(optimiser->name);
  }
  fail(Fault::usage, "no optimiser is called '", name, "'", known_values(name, names));
}

}  // namespace regard
