#include <map>

#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Best;
using testing::ConstantModel;
using testing::Draw;
using testing::Ids;

/// How often each token is said first, by many samples of one sentence.
std::map<std::int32_t, double> first_tokens(const DecodeSpec& how) {
  // log p of tokens 3 to 6: 0.5, 0.25, 0.125, 0.125; no end.
  const ConstantModel model({-50, -50, -50, std::log(4.), std::log(2.), 0, 0});
  DecodeSpec spec = how;
  spec.sample = true;
  spec.max_length = 1;
  spec.n_best = 8000;
  std::map<std::int32_t, double> counts;
  const Best best = translate(model, std::vector<Ids>{{kEos}}, spec);
  for (const Hypothesis& one : best[0])
    counts[one.ids.at(0)] += 1.0 / static_cast<double>(spec.n_best);
  return counts;
}

TEST(Sampling, FollowsTheProbabilities) {
  const auto plain = first_tokens({});
  EXPECT_NEAR(plain.at(3), 0.5, 0.03);
  EXPECT_NEAR(plain.at(4), 0.25, 0.03);
  EXPECT_NEAR(plain.at(5), 0.125, 0.02);
  EXPECT_NEAR(plain.at(6), 0.125, 0.02);

  const auto cold = first_tokens({.temperature = 0.5});  // 16 : 4 : 1 : 1
  EXPECT_NEAR(cold.at(3), 16.0 / 22, 0.03);
  EXPECT_NEAR(cold.at(6), 1.0 / 22, 0.02);

  const auto few = first_tokens({.top_k = 2});
  EXPECT_EQ(few.size(), 2u);
  EXPECT_NEAR(few.at(3), 2.0 / 3, 0.03);

  const auto nucleus = first_tokens({.top_p = 0.8});  // 0.5 + 0.25 is not enough
  EXPECT_EQ(nucleus.size(), 3u);
  EXPECT_NEAR(nucleus.at(3), 4.0 / 7, 0.03);
  EXPECT_NEAR(nucleus.at(5), 1.0 / 7, 0.03);

  EXPECT_EQ(first_tokens({.top_p = 0.01}).size(), 1u);
}

TEST(Sampling, AmongOneTokenIsGreedySearch) {
  testing::law("top 1", 20, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 4);
    const Best greedy = translate(*model, sources, {.beam = 1, .max_length = 9});
    const Best by_k = translate(*model, sources, {.max_length = 9, .sample = true, .top_k = 1});
    const Best by_p = translate(*model, sources, {.max_length = 9, .sample = true, .top_p = 1e-9});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      testing::expect_same(greedy[i], by_k[i]);
      testing::expect_same(greedy[i], by_p[i]);
    }
  });
}

TEST(Sampling, FollowsLineAndPiece) {
  testing::law("places", 10, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources(6, Ids{5, 6, kEos});
    const DecodeSpec spec{.n_best = 8, .max_length = 8, .sample = true, .temperature = 2};
    const std::vector<SourcePlace> places{{0, 0}, {3, 0}, {3, 1}, {3, 2}, {1, 0}, {3, 1}};
    const Best placed = translate(*model, sources, spec, {.places = places});
    const Best counted = translate(*model, sources, spec);
    testing::expect_same(placed[0], counted[0]);
    testing::expect_same(placed[1], counted[3]);
    testing::expect_same(placed[2], placed[5]);
    testing::expect_same(placed[4], counted[1]);
    for (const std::size_t other : {0u, 1u, 3u, 4u}) {
      bool same = true;
      for (std::size_t i = 0; i < 8; ++i) same = same && placed[2][i].ids == placed[other][i].ids;
      EXPECT_FALSE(same) << other;
    }
  });
}

TEST(Sampling, RepeatsItselfForOneSeedOnly) {
  testing::law("seeds", 10, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources(12, Ids{5, 6, kEos});
    DecodeSpec spec{.n_best = 2, .max_length = 8, .sample = true, .temperature = 2};
    const Best once = translate(*model, sources, spec), again = translate(*model, sources, spec);
    spec.seed = 2;
    const Best other = translate(*model, sources, spec);
    int same_line = 0, same_seed = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      testing::expect_same(once[i], again[i]);
      same_line += once[i][0].ids == once[0][0].ids;
      same_seed += once[i][0].ids == other[i][0].ids;
    }
    EXPECT_LT(same_line, 6);  // equal sentences draw by their own line's number
    EXPECT_LT(same_seed, 6);
  });
}

}  // namespace
}  // namespace regard
