#include "regard/image/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/base/check.h"
#include "regard/image/patches.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

Image random_image(Draw& draw, Index width, Index height) {
  Image image{width, height};
  for (Index i = 0; i < width * height * 3; ++i)
    image.pixels.push_back(static_cast<std::uint8_t>(draw.integer(0, 255)));
  return image;
}

int level(const Image& image, Index x, Index y, int c) {
  return image.pixels[static_cast<std::size_t>((y * image.width + x) * 3 + c)];
}

/// The mean of an area of an image, pixel by pixel.
double mean(const Image& image, const PixelArea& area, int c) {
  double sum = 0;
  for (Index y = 0; y < image.height; ++y)
    for (Index x = 0; x < image.width; ++x) {
      const auto overlap = [](double from, double length, Index at) {
        const auto pixel = static_cast<double>(at);
        return std::max(0.0, std::min(from + length, pixel + 1) - std::max(from, pixel));
      };
      sum +=
          overlap(area.x, area.width, x) * overlap(area.y, area.height, y) * level(image, x, y, c);
    }
  return sum / (area.width * area.height);
}

TEST(Fit, APixelIsTheMeanOfWhatLiesUnderItAndAroundTheImageIsWhite) {
  law("every pixel of the square is the mean of its part of the image", 60, [](Draw& draw) {
    const Image image = random_image(draw, draw.integer(1, 40), draw.integer(1, 40));
    const Index side = draw.integer(1, 24);
    const SquareFit fit(image.width, image.height, side);
    const Image square = fit(image);
    ASSERT_EQ(square.pixels.size(), static_cast<std::size_t>(side * side * 3));
    for (Index y = 0; y < side; ++y)
      for (Index x = 0; x < side; ++x) {
        const PixelArea area = fit.original({x, y, 1, 1});
        for (int c = 0; c < 3; ++c)
          ASSERT_LE(
              std::abs(level(square, x, y, c) - (area.is_empty() ? 255.0 : mean(image, area, c))),
              0.5 + 1e-9)
              << x << ", " << y;
      }
  });
}

TEST(Fit, KeepsTheAspectAndStandsInTheMiddle) {
  law("the longer side fills the square, the shorter keeps its share", 300, [](Draw& draw) {
    const Index width = draw.integer(1, 5000), height = draw.integer(1, 5000);
    const Index side = draw.integer(1, 512);
    const PixelBox box = SquareFit(width, height, side).inner();
    EXPECT_EQ(std::max(box.width, box.height), side);
    const double exact = static_cast<double>(side) * static_cast<double>(std::min(width, height)) /
                         static_cast<double>(std::max(width, height));
    EXPECT_LE(std::abs(static_cast<double>(std::min(box.width, box.height)) - std::max(1.0, exact)),
              0.5);
    EXPECT_EQ(box.width == side, width >= height || box.height == box.width);
    for (const auto& [start, length] :
         {std::pair(box.x, box.width), std::pair(box.y, box.height)}) {
      const Index after = side - start - length;
      EXPECT_TRUE(after == start || after == start + 1) << start << ' ' << length << ' ' << side;
    }
  });
}

TEST(Fit, PatchesOfTheSquareTileTheImage) {
  law("areas of all patches are within the image and sum to it", 100, [](Draw& draw) {
    const Index width = draw.integer(1, 3000), height = draw.integer(1, 3000);
    const PatchGrid grid{.side = 8 * draw.integer(1, 16), .patch = 8};
    const SquareFit fit(width, height, grid.side);
    double sum = 0;
    for (Index i = 0; i < grid.count(); ++i) {
      const PixelArea area = fit.original(grid.box(i));
      EXPECT_GE(area.x, 0);
      EXPECT_GE(area.y, 0);
      EXPECT_LE(area.x + area.width, static_cast<double>(width) * (1 + 1e-12));
      EXPECT_LE(area.y + area.height, static_cast<double>(height) * (1 + 1e-12));
      sum += area.width * area.height;
    }
    const auto whole = static_cast<double>(width * height);
    EXPECT_NEAR(sum, whole, 1e-9 * whole);
  });
}

TEST(Fit, ASquareOfThatSizeStaysAsItIs) {
  law("an image of the right size is not changed", 20, [](Draw& draw) {
    const Index side = draw.integer(1, 30);
    const Image image = random_image(draw, side, side);
    EXPECT_EQ(fit_to_square(image, side), image);
    // Twice as large and back again.
    EXPECT_EQ(fit_to_square(fit_to_square(image, 2 * side), side), image);
  });
}

TEST(Fit, RefusesSizesOfNothing) {
  EXPECT_THROW(SquareFit(0, 5, 8), Error);
  EXPECT_THROW(SquareFit(5, -1, 8), Error);
  EXPECT_THROW(SquareFit(5, 5, 0), Error);
}

TEST(Patches, AreCutInReadingOrder) {
  law("a pixel is where its patch and its place in it say", 40, [](Draw& draw) {
    const Index patch = draw.integer(1, 6);
    const PatchGrid grid{.side = patch * draw.integer(1, 6), .patch = patch};
    const Image image = random_image(draw, grid.side, grid.side);
    const std::vector<std::uint8_t> patches = patches_of(image, grid);
    ASSERT_EQ(patches.size(), static_cast<std::size_t>(grid.count() * grid.values()));
    for (Index y = 0; y < grid.side; ++y)
      for (Index x = 0; x < grid.side; ++x)
        for (int c = 0; c < 3; ++c) {
          const Index i = y / patch * grid.across() + x / patch;
          const Index place = (y % patch * patch + x % patch) * 3 + c;
          ASSERT_EQ(patches[static_cast<std::size_t>(i * grid.values() + place)],
                    level(image, x, y, c));
        }
  });
  EXPECT_EQ((PatchGrid{.side = 64, .patch = 8}.count()), 64);
  EXPECT_EQ((PatchGrid{.side = 64, .patch = 8}.box(9)), (PixelBox{8, 8, 8, 8}));
}

TEST(Patches, RefuseWhatDoesNotFit) {
  const Image image{8, 8, std::vector<std::uint8_t>(8 * 8 * 3)};
  EXPECT_THROW(patches_of(image, {.side = 8, .patch = 3}), Error);
  EXPECT_THROW(patches_of(image, {.side = 8, .patch = 0}), Error);
  EXPECT_THROW(patches_of(image, {.side = 16, .patch = 8}), Error);
}

TEST(SquareFit, PlacesABoxOfTheImageWithinAPixel) {
  law("in_square", 300, [](Draw& draw) {
    const Index width = draw.integer(1, 90), height = draw.integer(1, 90),
                side = draw.integer(1, 90);
    const Index x = draw.integer(0, width - 1), y = draw.integer(0, height - 1);
    const PixelBox box{x, y, draw.integer(1, width - x), draw.integer(1, height - y)};
    const SquareFit fit(width, height, side);
    const PixelBox placed = fit.in_square(box), inner = fit.inner();
    EXPECT_GE(placed.x, inner.x);
    EXPECT_GE(placed.y, inner.y);
    EXPECT_GE(placed.width, 1);
    EXPECT_GE(placed.height, 1);
    EXPECT_LE(placed.x + placed.width, inner.x + inner.width);
    EXPECT_LE(placed.y + placed.height, inner.y + inner.height);
    const PixelArea back = fit.original(placed);
    const double pixel = static_cast<double>(width) / static_cast<double>(inner.width);
    EXPECT_NEAR(back.x, static_cast<double>(box.x), pixel + 1e-9);
    EXPECT_NEAR(back.x + back.width, static_cast<double>(box.x + box.width), pixel + 1e-9);
  });
}

}  // namespace
}  // namespace regard
