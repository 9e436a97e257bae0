#include "regard/image/source.h"

namespace regard {

std::vector<std::int32_t> source_of(const Image& square, const PatchGrid& grid) {
  const std::vector<std::uint8_t> levels = patches_of(square, grid);
  return {levels.begin(), levels.end()};
}

}  // namespace regard
