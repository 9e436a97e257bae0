#include "regard/image/fit.h"

#include <algorithm>

#include "regard/base/check.h"

namespace regard {
namespace {

/// `length` times part / whole, to the nearest, at least 1.
Index scaled(Index length, Index part, Index whole) {
  return std::max<Index>(1, (2 * length * part + whole) / (2 * whole));
}

/// Calls each(i, overlap) for every one of `from` equal pieces of a line that lies under piece
/// `at` of the same line in `to` pieces. A piece of `from` has length `to`, so that all overlaps
/// are whole numbers; those of a piece sum to `from`.
template <class Each>
void each_overlap(Index from, Index to, Index at, const Each& each) {
  const Index begin = at * from, end = begin + from;
  for (Index i = begin / to; i * to < end; ++i)
    each(i, std::min(end, (i + 1) * to) - std::max(begin, i * to));
}

}  // namespace

SquareFit::SquareFit(Index width, Index height, Index side)
    : width_(width), height_(height), side_(side) {
  check(width > 0 && height > 0, "an image of ", width, " x ", height, " pixels cannot be scaled");
  check(side > 0, "the side of an image must be at least 1 pixel, not ", side);
  const Index longer = std::max(width, height);
  inner_.width = scaled(width, side, longer);
  inner_.height = scaled(height, side, longer);
  inner_.x = (side - inner_.width) / 2;
  inner_.y = (side - inner_.height) / 2;
}

Image SquareFit::operator()(const Image& image) const {
  const auto pixel = [](Index x, Index y, Index across) {
    return static_cast<std::size_t>((y * across + x) * 3);
  };
  Image square{side_, side_};
  square.pixels.assign(pixel(0, side_, side_), 255);
  const auto area = static_cast<std::uint64_t>(width_ * height_);
  std::vector<std::uint64_t> sums(pixel(0, 1, inner_.width));
  for (Index y = 0; y < inner_.height; ++y) {
    std::ranges::fill(sums, 0);
    each_overlap(height_, inner_.height, y, [&](Index row, Index rows) {
      for (Index x = 0; x < inner_.width; ++x)
        each_overlap(width_, inner_.width, x, [&](Index column, Index columns) {
          const auto overlap = static_cast<std::uint64_t>(rows * columns);
          for (std::size_t c = 0; c < 3; ++c)
            sums[pixel(x, 0, 0) + c] += overlap * image.pixels[pixel(column, row, width_) + c];
        });
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
      square.pixels[pixel(inner_.x, inner_.y + y, side_) + i] =
          static_cast<std::uint8_t>((sums[i] + area / 2) / area);
  }
  return square;
}

PixelBox SquareFit::in_square(const PixelBox& original) const {
  const auto along = [](Index from, Index length, Index start, Index fitted, Index size) {
    const Index begin = std::min(from * fitted / size, fitted - 1);
    const Index end = std::max(begin + 1, (from + length) * fitted / size);
    return std::pair(start + begin, end - begin);
  };
  const auto [x, width] = along(original.x, original.width, inner_.x, inner_.width, width_);
  const auto [y, height] = along(original.y, original.height, inner_.y, inner_.height, height_);
  return {x, y, width, height};
}

PixelArea SquareFit::original(const PixelBox& in_square) const {
  // Edges are clipped before they are scaled, so that none lies outside by a rounding.
  const auto along = [](Index from, Index length, Index start, Index fitted, Index size) {
    const Index begin = std::clamp<Index>(from - start, 0, fitted);
    const Index end = std::clamp<Index>(from + length - start, 0, fitted);
    const auto place = [&](Index at) {
      return static_cast<double>(at * size) / static_cast<double>(fitted);
    };
    return std::pair(place(begin), place(end) - place(begin));
  };
  const auto [x, width] = along(in_square.x, in_square.width, inner_.x, inner_.width, width_);
  const auto [y, height] = along(in_square.y, in_square.height, inner_.y, inner_.height, height_);
  return {x, y, width, height};
}

Image fit_to_square(const Image& image, Index side) {
  return SquareFit(image.width, image.height, side)(image);
}

}  // namespace regard
