#include "regard/train/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regard/decode/score.h"
#include "regard/tokens/tokenizer.h"
#include "regard/train/loss.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::MicroRun;
using Ids = std::vector<std::int32_t>;

// covers trust property 28
TEST(BatchOf, AnswersEachTokenWithTheNextAndTheLastWithTheEnd) {
  const std::vector<IdPair> pairs{{{5, 6, kEos}, {7, 8, 9}}, {{4, kEos}, {}}, {{4, 5, kEos}, {6}}};
  const Batch batch = batch_of(pairs, std::vector<Index>{2, 0, 1});
  EXPECT_EQ(batch.source.ids, (Ids{4, 5, kEos, 5, 6, kEos, 4, kEos}));
  EXPECT_EQ(batch.said.ids, (Ids{kBos, 6, kBos, 7, 8, 9, kBos}));
  EXPECT_EQ(batch.answers, (Ids{6, kEos, 7, 8, 9, kEos, kEos}));
  EXPECT_EQ(batch.target_tokens(), 7);
  ASSERT_EQ(batch.said.segments.count(), 3);
  EXPECT_EQ(batch.said.segments.length(0), 2);
  EXPECT_EQ(batch.said.segments.length(1), 4);
  EXPECT_EQ(batch.said.segments.length(2), 1);
}

// covers trust property 28
TEST(BatchOf, HasOneBeginAndOneEndOfEverySentence) {
  const MicroRun run;
  std::vector<Index> chosen(run.train.size());
  std::iota(chosen.begin(), chosen.end(), Index{0});
  const Batch batch = batch_of(run.train, chosen);
  const auto sentences = static_cast<Index>(run.train.size());
  ASSERT_EQ(batch.said.ids.size(), batch.answers.size());
  EXPECT_EQ(std::ranges::count(batch.said.ids, kBos), sentences);
  EXPECT_EQ(std::ranges::count(batch.said.ids, kEos), 0);
  EXPECT_EQ(std::ranges::count(batch.answers, kBos), 0);
  EXPECT_EQ(std::ranges::count(batch.answers, kEos), sentences);
  EXPECT_EQ(std::ranges::count(batch.source.ids, kEos), sentences);
}

/// What is learned is what is asked of the model later: no target is shifted twice, or not at all.
TEST(BatchLoss, IsTheSurpriseAtTheRightAnswers) {  // covers trust property 28
  for (const char* architecture : {"transformer", "bahdanau"})
    for (const double r_drop : {0.0, 2.0}) {
      MicroRun run(architecture);
      run.card.spec.dropout = run.card.spec.attention_dropout = run.card.spec.hidden_dropout = 0;
      const auto model = run.model();
      const std::vector<Index> chosen{5, 0, 17, 3};
      std::vector<Ids> sources, targets;
      for (const Index i : chosen) {
        sources.push_back(run.train[static_cast<std::size_t>(i)].source);
        targets.push_back(run.train[static_cast<std::size_t>(i)].target);
      }
      constexpr double kShare = 0.25;
      const TrainSpec spec{.label_smoothing = 0, .r_drop = r_drop};
      const TokenLoss found = batch_loss(*model, batch_of(run.train, chosen), spec, kShare, Rng(1));
      std::size_t at = 0;
      double sum = 0, of_neighbours = 0;
      for (const PairScore& score : score_pairs(*model, sources, targets))
        for (std::size_t t = 0; t < score.tokens.size(); ++t, ++at) {
          ASSERT_LT(at, found.surprisal.size());
          EXPECT_NEAR(found.surprisal[at], -score.tokens[t], 1e-5) << architecture << " " << at;
          sum += found.surprisal[at];
          if (t > 0)
            of_neighbours =
                std::max(of_neighbours, std::abs(found.surprisal[at] + score.tokens[t - 1]));
        }
      EXPECT_EQ(at, found.surprisal.size());
      EXPECT_GT(of_neighbours, 1e-3) << "a shift would not be seen";
      EXPECT_NEAR(found.loss.value().item(), kShare * sum, 1e-5 * sum);
    }
}

}  // namespace
}  // namespace regard
