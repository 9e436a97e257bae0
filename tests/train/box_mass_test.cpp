#include "regard/train/box_mass.h"

#include <gtest/gtest.h>

#include "regard/tokens/words.h"
#include "tests/ops/expect_error.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

constexpr PatchGrid kGrid{.side = 8, .patch = 2};

const std::string kCaption = "A red ball.";

std::vector<Token> tokens() {
  return word_vocabulary(std::vector<std::string>{kCaption}, {.min_frequency = 1})
      ->tokens(kCaption);  // A, red, ball, .
}

/// "red" and "ball" are what lies in the box.
Captioned red_ball(const PixelBox& box) {
  return {.name = "", .caption = kCaption, .named = {{2, 5, box}, {6, 10, box}}};
}

BoxMass measured(const Tensor& gaze, const PixelBox& box) {
  BoxMass sum;
  add(sum, gaze, tokens(), red_ball(box), kGrid);
  return sum;
}

TEST(BoxMass, OfAttentionThatIsEverywhereAlikeIsChance) {
  testing::law("chance", 30, [](Draw& draw) {
    PixelBox box{draw.integer(0, 7), draw.integer(0, 7), 0, 0};
    box.width = draw.integer(1, 8 - box.x);
    box.height = draw.integer(1, 8 - box.y);
    const BoxMass found = measured(Tensor::full({4, 16}, 1.0 / 16), box);
    EXPECT_EQ(found.words, 2);
    EXPECT_NEAR(found.mean_chance(), static_cast<double>(box.width * box.height) / 64, 1e-12);
    EXPECT_NEAR(found.times_chance(), 1, 1e-6);
  });
}

TEST(BoxMass, CountsAPatchByItsShareInTheBoxAndNamingWordsAlone) {
  Tensor gaze({4, 16});
  const auto look = [&](Index token, Index patch) {
    gaze.span<float>()[static_cast<std::size_t>(token * 16 + patch)] = 1;
  };
  look(0, 0);  // "A" looks elsewhere, which does not count
  look(1, 5);  // "red": a patch that the box covers
  look(2, 6);  // "ball": one of which it covers half
  look(3, 0);
  const BoxMass found = measured(gaze, {2, 2, 3, 2});
  EXPECT_EQ(found.words, 2);
  EXPECT_NEAR(found.mass, 1 + 0.5, 1e-12);
  EXPECT_NEAR(found.mean_chance(), 6.0 / 64, 1e-12);
}

TEST(BoxMass, RefusesAGazeOfAnotherShape) {
  testing::expect_error("3.*4 tokens and 16 patches", [] {
    measured(Tensor({3, 16}), {0, 0, 2, 2});
  });
  testing::expect_error("4 tokens and 16 patches", [] { measured(Tensor({4, 9}), {0, 0, 2, 2}); });
}

}  // namespace
}  // namespace regard
