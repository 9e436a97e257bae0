#pragma once

#include <cstdint>
#include <vector>

#include "regard/image/image.h"
#include "regard/image/patches.h"

namespace regard {

/// A square picture as a model reads it: its levels as numbers, patch after patch.   REQUIRES the
/// size of the grid
std::vector<std::int32_t> source_of(const Image& square, const PatchGrid& grid);

}  // namespace regard
