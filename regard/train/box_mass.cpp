#include "regard/train/box_mass.h"

#include <algorithm>

#include "regard/base/check.h"

namespace regard {
namespace {

Index common(Index a, Index a_length, Index b, Index b_length) {
  return std::max<Index>(0, std::min(a + a_length, b + b_length) - std::max(a, b));
}

/// How much of the first box lies in the second.
double share_inside(const PixelBox& part, const PixelBox& box) {
  return static_cast<double>(common(part.x, part.width, box.x, box.width) *
                             common(part.y, part.height, box.y, box.height)) /
         static_cast<double>(part.width * part.height);
}

}  // namespace

void add(BoxMass& sum, const Tensor& gaze, std::span<const Token> tokens, const Captioned& about,
         const PatchGrid& grid) {
  check(gaze.rank() == 2 && gaze.size(0) == static_cast<Index>(tokens.size()) &&
            gaze.size(1) == grid.count(),
        "a gaze of ", gaze.shape(), " for ", tokens.size(), " tokens and ", grid.count(),
        " patches");
  const std::vector<double> weights = gaze.values();
  for (const NamedBox& named : about.named) {
    const PixelBox whole{0, 0, grid.side, grid.side};
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t].start < static_cast<Index>(named.begin) ||
          tokens[t].end > static_cast<Index>(named.end))
        continue;
      ++sum.words;
      sum.chance += share_inside(whole, named.box);
      for (Index i = 0; i < grid.count(); ++i)
        sum.mass +=
            weights[t * static_cast<std::size_t>(grid.count()) + static_cast<std::size_t>(i)] *
            share_inside(grid.box(i), named.box);
    }
  }
}

}  // namespace regard
