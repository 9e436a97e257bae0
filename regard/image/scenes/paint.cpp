#include "regard/image/scenes/paint.h"

#include <algorithm>
#include <map>
#include <utility>

namespace regard::scenes {
namespace {

constexpr Index kFine = 8;  // sample points of a pixel, across and down

/// How many sample points of each pixel a shape of some length covers.
struct Mask {
  std::vector<std::uint8_t> covered;  // [length, length], 0 to kFine * kFine
  PixelBox box;                       // of those above 0
};

Mask mask_of(const Shape& shape, Index length) {
  const Index n = length * kFine;
  Mask mask;
  Index left = length, top = length, right = 0, bottom = 0;
  for (Index y = 0; y < length; ++y)
    for (Index x = 0; x < length; ++x) {
      Index covered = 0;
      for (Index v = y * kFine; v < (y + 1) * kFine; ++v)
        for (Index u = x * kFine; u < (x + 1) * kFine; ++u)
          covered += shape.covers(2 * u + 1 - n, 2 * v + 1 - n, n);
      mask.covered.push_back(static_cast<std::uint8_t>(covered));
      if (covered == 0) continue;
      left = std::min(left, x);
      right = std::max(right, x + 1);
      top = std::min(top, y);
      bottom = std::max(bottom, y + 1);
    }
  mask.box = {left, top, right - left, bottom - top};
  return mask;
}

/// Made once: few lengths are drawn, and those again and again.
const Mask& mask(std::size_t shape, Index length) {
  static const auto kMasks = [] {
    std::map<std::pair<std::size_t, Index>, Mask> all;
    for (std::size_t i = 0; i < shapes().size(); ++i)
      for (const Size size : {Size::small, Size::large})
        for (Index n = lengths_of(size).least; n <= lengths_of(size).most; ++n)
          all[{i, n}] = mask_of(shapes()[i], n);
    return all;
  }();
  return kMasks.at({shape, length});
}

void paint(Image& image, const Mask& mask, const Scene::Placed& placed) {
  constexpr int kAll = kFine * kFine;
  const Index length = placed.square.width;
  for (Index y = 0; y < length; ++y)
    for (Index x = 0; x < length; ++x) {
      const int covered = mask.covered[static_cast<std::size_t>(y * length + x)];
      std::uint8_t* pixel = &image.pixels[static_cast<std::size_t>(
          ((placed.square.y + y) * image.width + placed.square.x + x) * 3)];
      for (std::size_t c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(
            (pixel[c] * (kAll - covered) + placed.paint[c] * covered + kAll / 2) / kAll);
    }
}

}  // namespace

Image painted(const Scene& scene) {
  Image image{kSide, kSide};
  image.pixels.reserve(kSide * kSide * 3);
  for (Index i = 0; i < kSide * kSide; ++i)
    image.pixels.insert(image.pixels.end(), scene.background.begin(), scene.background.end());
  for (std::size_t i = 0; i < scene.placed.size(); ++i)
    paint(image, mask(scene.content.objects[i].shape, scene.placed[i].square.width),
          scene.placed[i]);
  return image;
}

PixelBox box_of(const Scene& scene, std::size_t object) {
  const PixelBox& square = scene.placed[object].square;
  const PixelBox& within = mask(scene.content.objects[object].shape, square.width).box;
  return {square.x + within.x, square.y + within.y, within.width, within.height};
}

}  // namespace regard::scenes
