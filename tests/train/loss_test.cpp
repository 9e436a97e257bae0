#include "regard/train/loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "regard/decode/score.h"
#include "tests/model/architectures.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::MicroRun;
using Ids = std::vector<std::int32_t>;

/// What is trained is what is scored later: no target is shifted twice, or not at all.
TEST(BatchLoss, IsTheSurpriseAtTheRightAnswers) {  // covers trust property 28
  for (const Architecture* made : testing::generating_architectures())
    for (const double r_drop : {0.0, 2.0}) {
      MicroRun run(made->name);
      run.info.spec.dropout = run.info.spec.attention_dropout = run.info.spec.ffn_dropout = 0;
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
          EXPECT_NEAR(found.surprisal[at], -score.tokens[t], 1e-5) << made->name << " " << at;
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
