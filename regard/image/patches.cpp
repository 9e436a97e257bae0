#include "regard/image/patches.h"

#include "regard/base/check.h"

namespace regard {

void PatchGrid::check_sizes() const {
  check(side > 0 && patch > 0 && side % patch == 0, "an image of ", side, " x ", side,
        " pixels cannot be cut into patches of ", patch, " x ", patch,
        "; the side must be a multiple of the patch");
}

std::vector<std::uint8_t> patches_of(const Image& image, const PatchGrid& grid) {
  grid.check_sizes();
  check(image.width == grid.side && image.height == grid.side, "an image of ", image.width, " x ",
        image.height, " pixels, expected ", grid.side, " x ", grid.side, "; fit it to the square");
  std::vector<std::uint8_t> patches;
  patches.reserve(image.pixels.size());
  for (Index i = 0; i < grid.count(); ++i) {
    const PixelBox box = grid.box(i);
    for (Index y = box.y; y < box.y + box.height; ++y) {
      const auto row = image.pixels.begin() + (y * grid.side + box.x) * 3;
      patches.insert(patches.end(), row, row + box.width * 3);
    }
  }
  return patches;
}

}  // namespace regard
