#pragma once

#include <vector>

#include "regard/config/section.h"
#include "regard/train/recipe.h"

namespace regard {

/// The sections of a config file that set a recipe, which must outlive them.
inline std::vector<Section> recipe_sections(Recipe& recipe) {
  std::vector<Section> sections;
  recipe.each_section([&](const char* name, auto& group) {
    sections.push_back({name, fields_of(group)});
  });
  return sections;
}

}  // namespace regard
