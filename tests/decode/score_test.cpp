#include "regard/decode/score.h"

#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;

std::vector<Ids> some_targets(Draw& draw, Index count) {
  std::vector<Ids> targets = testing::some_sources(draw, count);
  for (Ids& target : targets) target.pop_back();
  return targets;
}

// covers trust property 24
TEST(ScorePairs, GivesTheSameBitsInAnyBatch) {
  testing::law("batch", 30, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const Index count = draw.integer(1, 9);
    const auto sources = testing::some_sources(draw, *model, count);
    const auto targets = some_targets(draw, count);
    const auto all = score_pairs(*model, sources, targets, draw.integer(1, 60));
    ASSERT_EQ(all.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const PairScore alone =
          score_pairs(*model, std::vector<Ids>{sources[i]}, std::vector<Ids>{targets[i]})[0];
      EXPECT_EQ(alone.tokens, all[i].tokens);
      EXPECT_EQ(alone.log_probability, all[i].log_probability);
      EXPECT_EQ(alone.tokens.size(), targets[i].size() + 1);
    }
  });
}

TEST(ScorePairs, AgreesWithTheTrainingLoss) {
  testing::law("loss", 20, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const auto sources = testing::some_sources(draw, *model, 1);
    const auto targets = some_targets(draw, 1);
    Ids said{kBos}, wanted = targets[0];
    said.insert(said.end(), wanted.begin(), wanted.end());
    wanted.push_back(kEos);
    const NoGrad quiet;
    const Var rows = model->forward(TokenIds::ragged(sources), TokenIds::ragged({said}), {});
    const TokenLoss loss = model->output().loss(rows, wanted, {}, 1);
    const PairScore score = score_pairs(*model, sources, targets)[0];
    for (std::size_t t = 0; t < wanted.size(); ++t)
      EXPECT_NEAR(score.tokens[t], -loss.surprisal[t], 2e-6);
  });
}

// covers trust property 31
TEST(ScorePairs, KnowsNothingOfLaterTokens) {
  testing::law("causal", 30, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const auto sources = testing::some_sources(draw, *model, 1);
    auto targets = some_targets(draw, 1);
    targets[0].insert(targets[0].end(), {4, 5});
    const PairScore before = score_pairs(*model, sources, targets)[0];
    const auto at =
        static_cast<std::size_t>(draw.integer(0, static_cast<Index>(targets[0].size()) - 1));
    std::int32_t& token = targets[0][at];
    token = token == 7 ? 8 : 7;
    const PairScore after = score_pairs(*model, sources, targets)[0];
    for (std::size_t t = 0; t < at; ++t) EXPECT_EQ(before.tokens[t], after.tokens[t]);
    EXPECT_NE(before.tokens[at], after.tokens[at]);
  });
}

TEST(ScorePairs, SumsToOneOverAllTokens) {
  testing::law("sum", 10, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const Ids source = testing::some_sources(draw, *model, 1)[0];
    double total =
        std::exp(score_pairs(*model, std::vector<Ids>{source}, std::vector<Ids>{{}})[0].tokens[0]);
    for (std::int32_t token = 0; token < testing::kVocabulary; ++token)
      if (token != kEos)
        total += std::exp(
            score_pairs(*model, std::vector<Ids>{source}, std::vector<Ids>{{token}})[0].tokens[0]);
    EXPECT_NEAR(total, 1, 1e-5);
  });
}

TEST(ScorePairs, RefusesWhatDoesNotFit) {
  const auto model = testing::small_model("transformer", Rng(1));
  const std::vector<Ids> sources{{5, kEos}}, wrong{{30}};
  EXPECT_THROW(score_pairs(*model, sources, {}), Error);
  EXPECT_THROW(score_pairs(*model, sources, wrong), Error);
  EXPECT_TRUE(score_pairs(*model, {}, {}).empty());
}

}  // namespace
}  // namespace regard
