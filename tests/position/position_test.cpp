#include "regard/position/position.h"

#include <gtest/gtest.h>

#include <numeric>

#include "regard/base/check.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

std::unique_ptr<Position> make(std::string_view name, Index width, Dtype dtype = Dtype::f32) {
  return find_position_scheme(name).make(
      {.width = width, .length = 64, .dtype = dtype, .rng = Rng(3)});
}

/// Laws every scheme obeys. A new file in schemes/ is held to them with no line added here.
class EveryScheme : public ::testing::TestWithParam<const PositionScheme*> {
 protected:
  std::unique_ptr<Position> made(Index width, Dtype dtype = Dtype::f32) const {
    return make(GetParam()->name, width, dtype);
  }
};

TEST_P(EveryScheme, SaysWhatItIsAndIsFoundByName) {
  EXPECT_FALSE(GetParam()->formula.empty());
  EXPECT_FALSE(GetParam()->paper.empty());
  EXPECT_EQ(&find_position_scheme(GetParam()->name), GetParam());
}

TEST_P(EveryScheme, TreatsEachRowByItsOwnPositionAlone) {
  testing::law(std::string(GetParam()->name), 100, [&](Draw& draw) {
    const Index N = draw.integer(1, 12), heads = draw.integer(1, 3), d = 2 * draw.integer(2, 4);
    const auto position = made(heads * d);
    const Tensor x = Tensor::uniform({N, heads * d}, draw.rng("x"));
    std::vector<Index> places;
    for (Index n = 0; n < N; ++n) places.push_back(draw.integer(0, 63));
    const Tensor added = position->add_to(Var(x), places).value();
    const Tensor turned = position->rotate({Var(x), heads, d}, places).value();
    ASSERT_EQ(added.shape(), x.shape());
    ASSERT_EQ(turned.shape(), x.shape());
    for (Index n = 0; n < N; ++n) {
      Tensor row = Tensor::empty({1, heads * d});
      std::ranges::copy(x.span<f32>().subspan(static_cast<std::size_t>(n * heads * d),
                                              static_cast<std::size_t>(heads * d)),
                        row.span<f32>().data());
      const std::vector<Index> place{places[static_cast<std::size_t>(n)]};
      const Tensor alone = position->add_to(Var(row), place).value();
      const Tensor alone_turned = position->rotate({Var(row), heads, d}, place).value();
      for (Index i = 0; i < heads * d; ++i) {
        ASSERT_EQ(added.at({n, i}), alone.at({0, i}));
        ASSERT_EQ(turned.at({n, i}), alone_turned.at({0, i}));
      }
    }
  });
}

TEST_P(EveryScheme, HasTheGradientOfItsForwardPass) {
  testing::law(std::string(GetParam()->name), 100, [&](Draw& draw) {
    const Index N = draw.integer(1, 4);
    const auto position = made(8, Dtype::f64);
    std::vector<Index> places;
    for (Index n = 0; n < N; ++n) places.push_back(draw.integer(0, 5));
    const Tensor x = Tensor::uniform({N, 8}, draw.rng("x"), Dtype::f64);
    std::vector<Tensor> inputs{x};
    position->each([&](std::string_view, Var& parameter) { inputs.push_back(parameter.value()); });
    const double error = testing::gradient_error(
        [&](const std::vector<Var>& in) {
          std::size_t i = 1;
          position->each([&](std::string_view, Var& parameter) { parameter = in[i++]; });
          return position->rotate({position->add_to(in[0], places), 2, 4}, places);
        },
        inputs);
    EXPECT_LE(error, 1e-7);
  });
}

TEST_P(EveryScheme, GivesTheSameBitsInEverySetting) {
  const auto position = made(32);
  std::vector<Index> places(60);
  std::iota(places.begin(), places.end(), 0);
  const Tensor x = Tensor::uniform({60, 32}, Rng(5));
  const auto run = [&] {
    return position->rotate({position->add_to(Var(x), places), 2, 16}, places).value();
  };
  const Tensor first = run();
  testing::in_every_setting(
      [&](const std::string& what) { EXPECT_TRUE(testing::same_bits(run(), first)) << what; });
}

INSTANTIATE_TEST_SUITE_P(Position, EveryScheme, ::testing::ValuesIn(all_position_schemes()),
                         [](const auto& test) {
                           std::string name(test.param->name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(PositionSchemes, AreAllThere) {
  for (const char* name : {"sinusoidal", "sinusoidal-halves", "learned", "rotary", "alibi", "none"})
    EXPECT_EQ(find_position_scheme(name).name, name);
}

TEST(PositionSchemes, NameTheNearestForAWrongName) {
  try {
    find_position_scheme("rotery");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rotary"), std::string::npos) << error.what();
  }
}

TEST(LearnedPositions, RefuseAPositionBeyondTheTable) {  // covers NU12
  const auto position = make("learned", 4);
  const Var x(Tensor({1, 4}));
  EXPECT_NO_THROW(position->add_to(x, std::vector<Index>{63}));
  EXPECT_THROW(position->add_to(x, std::vector<Index>{64}), Error);
  EXPECT_THROW(position->add_to(x, std::vector<Index>{-1}), Error);
}

}  // namespace
}  // namespace regard
