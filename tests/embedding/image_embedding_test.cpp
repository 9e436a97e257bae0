#include "regard/embedding/image_embedding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "regard/base/check.h"
#include "tests/ops/expect_error.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;

std::vector<std::int32_t> some_levels(Draw& draw, Index count) {
  std::vector<std::int32_t> levels;
  for (Index i = 0; i < count; ++i)
    levels.push_back(static_cast<std::int32_t>(draw.integer(0, 255)));
  return levels;
}

/// The wave of a place on a side, in one of `columns` columns.
double wave(Index place, Index across, Index columns, Index column) {
  const Index pairs = (columns + 1) / 2, pair = column / 2;
  const double slower = pairs == 1 ? 1 : static_cast<double>(pair) / static_cast<double>(pairs - 1);
  const double turn = static_cast<double>(place) * std::numbers::pi / 2 *
                      std::pow(static_cast<double>(across), -slower);
  return column % 2 == 0 ? std::sin(turn) : std::cos(turn);
}

/// By plain loops: levels from -1 to 1, times the weights, plus the waves of row and column.
TEST(ImageEmbedding, MapsTheLevelsAndAddsThePlace) {
  testing::law("levels and places", 30, [](Draw& draw) {
    const Index patch = draw.integer(1, 3), across = draw.integer(1, 4), D = 2 * draw.integer(1, 6);
    const ImageEmbedding embed({.side = patch * across,
                                .patch = patch,
                                .width = D,
                                .dtype = Dtype::f64,
                                .rng = draw.rng("weights")});
    ASSERT_EQ(embed.patches(), across * across);
    std::vector<Index> places;
    for (Index n = draw.integer(1, 5); n > 0; --n)
      places.push_back(draw.integer(0, embed.patches() - 1));
    const auto N = static_cast<Index>(places.size());
    const std::vector<std::int32_t> levels = some_levels(draw, N * embed.values());
    const Tensor rows = embed(levels, places).value();
    ASSERT_EQ(rows.shape(), (Shape{N, D}));
    const Index of_columns = D / 4 * 2, of_rows = D - of_columns;
    for (Index n = 0; n < N; ++n) {
      const Index place = places[static_cast<std::size_t>(n)];
      for (Index d = 0; d < D; ++d) {
        double expected = embed.bias.value().at({d});
        for (Index i = 0; i < embed.values(); ++i)
          expected += (levels[static_cast<std::size_t>(n * embed.values() + i)] / 127.5 - 1) *
                      embed.weight.value().at({i, d});
        expected += d < of_rows ? wave(place / across, across, of_rows, d)
                                : wave(place % across, across, of_columns, d - of_rows);
        EXPECT_NEAR(rows.at({n, d}), expected, 1e-12);
      }
    }
  });
}

/// Turned by their waves, the products of queries and keys know the way between patches alone.
TEST(ImageEmbedding, TurnsQueriesAndKeysByTheWayBetweenThem) {
  constexpr Index kAcross = 5, kWidth = 8;
  const ImageEmbedding embed({.side = kAcross, .patch = 1, .width = kWidth, .rng = Rng(1)});
  const Tensor q = Tensor::uniform({1, kWidth}, Rng(2), Dtype::f64),
               k = Tensor::uniform({1, kWidth}, Rng(3), Dtype::f64);
  const auto turned = [&](const Tensor& x, Index place) {
    const std::vector<Index> places{place};
    return embed.position->rotate({.rows = Var(x), .heads = 1, .width = kWidth}, places)
        .value()
        .values();
  };
  const auto product = [&](Index at, Index seen) {
    const std::vector<double> a = turned(q, at), b = turned(k, seen);
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  const double expected = product(0, kAcross + 2);  // one row down, two columns on
  EXPECT_NEAR(product(2 * kAcross + 1, 3 * kAcross + 3), expected, 1e-9);
  EXPECT_GT(std::abs(product(0, 2 * kAcross + 1) - expected), 1e-3);
}

/// Rows in front are turned by nothing, and patches behind them as if there were none.
TEST(ImageEmbedding, LeavesRowsInFrontAsTheyAre) {
  testing::law("in front", 30, [](Draw& draw) {
    const Index across = draw.integer(1, 4), in_front = draw.integer(1, 2);
    const Index width = 2 * draw.integer(1, 5);
    const ImageEmbedding plain({.side = across, .patch = 1, .width = width, .rng = Rng(1)});
    const ImageEmbedding led(
        {.side = across, .patch = 1, .width = width, .in_front = in_front, .rng = Rng(1)});
    const Index rows = in_front + plain.patches();
    const Tensor x = Tensor::uniform({rows, width}, draw.rng("x"), Dtype::f64);
    std::vector<Index> all(static_cast<std::size_t>(rows));
    std::iota(all.begin(), all.end(), Index{0});
    const auto turned = led.position->rotate({.rows = Var(x), .heads = 1, .width = width}, all);
    for (Index n = 0; n < rows; ++n) {
      std::vector<double> row;
      for (Index d = 0; d < width; ++d) row.push_back(x.at({n, d}));
      const Var alone(Tensor::of({1, width}, row, Dtype::f64));
      const std::vector<Index> place{n - in_front};
      const Tensor expected =
          n < in_front
              ? alone.value()
              : plain.position->rotate({.rows = alone, .heads = 1, .width = width}, place).value();
      for (Index d = 0; d < width; ++d)
        EXPECT_EQ(turned.value().at({n, d}), expected.at({0, d})) << n << " " << d;
    }
  });
}

TEST(ImageEmbedding, TellsApartAllPlaces) {
  const ImageEmbedding embed({.side = 8, .patch = 1, .width = 16, .rng = Rng(1)});
  std::vector<Index> places(64);
  for (Index i = 0; i < 64; ++i) places[static_cast<std::size_t>(i)] = i;
  const std::vector<std::int32_t> grey(64 * 3, 128);
  const std::vector<double> rows = embed(grey, places).value().values();
  for (std::size_t a = 0; a < 64; ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_FALSE(std::equal(rows.begin() + 16 * static_cast<std::ptrdiff_t>(a),
                              rows.begin() + 16 * static_cast<std::ptrdiff_t>(a + 1),
                              rows.begin() + 16 * static_cast<std::ptrdiff_t>(b)))
          << a << " " << b;
}

TEST(ImageEmbedding, RefusesWhatIsNoImage) {
  expect_error("image of 64 pixels.*patches of 7.*multiple",
               [] { ImageEmbedding({.side = 64, .patch = 7, .width = 8}); });
  const ImageEmbedding embed({.side = 4, .patch = 2, .width = 8, .rng = Rng(1)});
  const std::vector<std::int32_t> levels(12, 7);
  const std::vector<Index> first{0}, outside{4}, two{0, 1};
  EXPECT_NO_THROW(embed(levels, first));
  expect_error("patch 4 of an image of 4", [&] { embed(levels, outside); });
  expect_error("12 levels for 2 patches", [&] { embed(levels, two); });
  for (const std::int32_t wrong : {-1, 256}) {
    std::vector<std::int32_t> bad = levels;
    bad[5] = wrong;
    expect_error("levels of 0 to 255, not " + std::to_string(wrong), [&] { embed(bad, first); });
  }
}

}  // namespace
}  // namespace regard
