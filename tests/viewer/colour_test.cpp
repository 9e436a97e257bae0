#include "regard/viewer/colour.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "regard/base/check.h"

namespace regard {
namespace {

// CIE lightness: 0 black .. 100 white.
double lightness(Colour colour) {
  return 116 * std::cbrt(luminance(colour)) - 16;
}

TEST(ColourScale, IsDarkerForMore) {
  const ColourScale scale(0, 1);
  for (int i = 1; i <= 200; ++i)
    EXPECT_LT(luminance(scale.at(i / 200.0)), luminance(scale.at((i - 1) / 200.0))) << i;
  EXPECT_GT(lightness(scale.at(0)), 97);
  EXPECT_LT(lightness(scale.at(1)), 20);
}

TEST(ColourScale, StepsAreEven) {
  const ColourScale scale(0, 1);
  double least = 1e9, most = 0;
  for (int i = 1; i <= 16; ++i) {
    const double step = lightness(scale.at((i - 1) / 16.0)) - lightness(scale.at(i / 16.0));
    least = std::min(least, step);
    most = std::max(most, step);
  }
  EXPECT_LT(most / least, 1.7);
}

TEST(ColourScale, DivergesEvenlyFromWhite) {
  const ColourScale scale(-2, 2);
  EXPECT_GT(lightness(scale.at(0)), 97);
  for (int i = 1; i <= 100; ++i) {
    const double value = i / 50.0, before = (i - 1) / 50.0;
    EXPECT_LT(luminance(scale.at(value)), luminance(scale.at(before))) << value;
    EXPECT_LT(luminance(scale.at(-value)), luminance(scale.at(-before))) << value;
    EXPECT_NEAR(lightness(scale.at(value)), lightness(scale.at(-value)), 6) << value;
  }
  EXPECT_GT(scale.at(2).red, scale.at(2).blue);
  EXPECT_LT(scale.at(-2).red, scale.at(-2).blue);
}

// The web page has the same scales in regard/page/palette.js; tests/browser holds it to this file.
TEST(ColourScale, IsThePaletteOfThePage) {
  std::ifstream file(REGARD_SOURCE_DIR "/tests/viewer/palette.txt");
  const ColourScale weight(0, 1), both(-1, 1);
  std::string weight_hex, signed_hex;
  int i = 0;
  for (; file >> weight_hex >> signed_hex; ++i) {
    EXPECT_EQ(hex(weight.at(i / 255.0)), weight_hex) << i;
    EXPECT_EQ(hex(both.at(2 * i / 255.0 - 1)), signed_hex) << i;
  }
  EXPECT_EQ(i, 256);
}

TEST(ColourScale, HoldsToItsEnds) {
  const ColourScale scale(1, 3), both(-1, 4);
  EXPECT_EQ(scale.at(-5), scale.at(1));
  EXPECT_EQ(scale.at(HUGE_VAL), scale.at(3));
  EXPECT_EQ(both.at(-HUGE_VAL), both.at(-1));
  EXPECT_DOUBLE_EQ(both.position(-1), -0.25);
  EXPECT_THROW(ColourScale(1, 1), Error);
  EXPECT_THROW(ColourScale(0, NAN), Error);
}

TEST(Ink, ReadsOnEveryColour) {
  for (const ColourScale& scale : {ColourScale(0, 1), ColourScale(-1, 1)})
    for (int i = -50; i <= 50; ++i) {
      const Colour ground = scale.at(i / 50.0), ink = ink_on(ground);
      const double a = luminance(ground) + 0.05, b = luminance(ink) + 0.05;
      EXPECT_GT(std::max(a, b) / std::min(a, b), 4.5) << hex(ground);
    }
}

TEST(IndexedColour, IsItselfInTheCubeAndOnTheRamp) {
  EXPECT_EQ(nearest_indexed({0, 0, 0}), 16);
  EXPECT_EQ(nearest_indexed({255, 255, 255}), 231);
  EXPECT_EQ(nearest_indexed({95, 135, 175}), 16 + 36 + 12 + 3);
  for (int step = 0; step < 24; ++step) {
    const auto grey = static_cast<std::uint8_t>(8 + 10 * step);
    EXPECT_EQ(nearest_indexed({grey, grey, grey}), 232 + step);
  }
}

}  // namespace
}  // namespace regard
