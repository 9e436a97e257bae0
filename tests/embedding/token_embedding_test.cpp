#include "regard/embedding/token_embedding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/ops/sum.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

TEST(TokenEmbedding, IsTheVectorTimesRootOfTheWidthPlusThePosition) {
  testing::law("sum", 100, [](Draw& draw) {
    const Index V = draw.integer(1, 9), D = 2 * draw.integer(2, 5), N = draw.integer(0, 8);
    for (const PositionScheme* scheme : all_position_schemes()) {
      const TokenEmbedding embed({.vocabulary = V,
                                  .width = D,
                                  .position = scheme->name,
                                  .length = 10,
                                  .dtype = Dtype::f64,
                                  .rng = draw.rng("parameters")});
      std::vector<std::int32_t> ids;
      std::vector<Index> places;
      for (Index n = 0; n < N; ++n) {
        ids.push_back(static_cast<std::int32_t>(draw.integer(0, V - 1)));
        places.push_back(draw.integer(0, 9));
      }
      const Tensor x = embed(ids, places).value();
      ASSERT_EQ(x.shape(), (Shape{N, D}));
      const Tensor p = embed.position->add_to(Var(Tensor({N, D}, Dtype::f64)), places).value();
      for (Index n = 0; n < N; ++n)
        for (Index i = 0; i < D; ++i)
          ASSERT_NEAR(x.at({n, i}),
                      std::sqrt(static_cast<double>(D)) *
                              embed.table.value().at({ids[static_cast<std::size_t>(n)], i}) +
                          p.at({n, i}),
                      1e-14);
    }
  });
}

TEST(TokenEmbedding, GivesNoGradientToWordsThatDoNotOccur) {
  const TokenEmbedding embed({.vocabulary = 5, .width = 4});
  backward(sum(embed(std::vector<std::int32_t>{1, 3, 3}, std::vector<Index>{0, 1, 2})));
  for (Index v = 0; v < 5; ++v)
    for (Index i = 0; i < 4; ++i)
      EXPECT_EQ(embed.table.grad().at({v, i}), v == 1 ? 2 : v == 3 ? 4 : 0);
}

TEST(TokenEmbedding, HasTheGradientOfItsForwardPass) {
  TokenEmbedding embed({.vocabulary = 4, .width = 6, .dtype = Dtype::f64});
  const std::vector<std::int32_t> ids{2, 0, 2};
  const std::vector<Index> places{0, 1, 2};
  const double error = testing::gradient_error(
      [&](const Var& table) {
        embed.table = table;
        return embed(ids, places, {.rate = 0.3, .rng = Rng(8)});
      },
      embed.table.value());
  EXPECT_LE(error, 1e-7);
}

TEST(TokenEmbedding, StartsAtTheSizeOfThePositions) {
  const TokenEmbedding embed({.vocabulary = 300, .width = 64, .position = "none"});
  std::vector<std::int32_t> ids(300);
  for (std::size_t i = 0; i < 300; ++i) ids[i] = static_cast<std::int32_t>(i);
  double squares = 0;
  for (const double v : embed(ids, std::vector<Index>(300)).value().values()) squares += v * v;
  EXPECT_NEAR(squares / (300 * 64), 1, 0.05);
}

TEST(TokenEmbedding, RefusesAnEmptyTableAndAStrangeId) {
  EXPECT_THROW(TokenEmbedding({.vocabulary = 0, .width = 4}), Error);
  const TokenEmbedding embed({.vocabulary = 3, .width = 4});
  EXPECT_THROW(embed(std::vector<std::int32_t>{3}, std::vector<Index>{0}), Error);
  EXPECT_THROW(embed(std::vector<std::int32_t>{1}, std::vector<Index>{0, 1}), Error);
}

}  // namespace
}  // namespace regard
