#include "regard/position/position.h"

#include <vector>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {

Var Position::add_to(const Var& x, std::span<const Index>) const {
  return x;
}

Var Position::rotate(const HeadColumns& heads, std::span<const Index>) const {
  return heads.rows;
}

Mask Position::mask(Index) const {
  return Mask::full();
}

const PositionScheme& find_position_scheme(std::string_view name) {
  std::vector<std::string_view> names;
  for (const PositionScheme* scheme : all_position_schemes()) {
    if (scheme->name == name) return *scheme;
    names.push_back(scheme->name);
  }
  fail(Fault::usage, "no position scheme is called '", name, "'", known_values(name, names));
}

}  // namespace regard
