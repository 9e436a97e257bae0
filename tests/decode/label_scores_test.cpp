#include "regard/decode/label_scores.h"

#include "regard/base/elementary.h"
#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;

std::unique_ptr<LabelModel> some_labeller(Draw& draw) {
  const auto kinds = testing::labelling_architectures();
  const Architecture& kind = *kinds[static_cast<std::size_t>(draw.number()) % kinds.size()];
  const ModelSpec spec = testing::small_spec(std::string(kind.name), 4);
  return as_kind<LabelModel>(make_model(spec, draw.rng("model")), spec);
}

/// More sources than a batch holds, and each alone.
TEST(LabelScores, AreTheSameInAnyBatchAndAddUpToOne) {
  testing::law("any batch", 6, [](Draw& draw) {
    const auto model = some_labeller(draw);
    const std::vector<Ids> sources = testing::some_sources(
        draw, *model, 40, model->numbers_per_row() == 1 && draw.coin() ? 300 : 6);
    const std::vector<std::vector<double>> all = label_scores(*model, sources);
    ASSERT_EQ(all.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      EXPECT_EQ(label_scores(*model, std::span(sources).subspan(i, 1)).front(), all[i]);
      double sum = 0;
      for (const double log_p : all[i]) sum += elementary::exp(log_p);
      EXPECT_NEAR(sum, 1, 1e-6);
    }
    model->pack();
    EXPECT_EQ(label_scores(*model, sources), all);
  });
}

TEST(LabelScores, OfAnInt8ModelAreNear) {
  testing::law("int8", 6, [](Draw& draw) {
    const auto plain = some_labeller(draw), rounded = some_labeller(draw);
    rounded->quantise();
    rounded->pack();
    const std::vector<Ids> sources = testing::some_sources(draw, *plain, 10);
    const auto exact = label_scores(*plain, sources), near = label_scores(*rounded, sources);
    double apart = 0;
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (std::size_t j = 0; j < exact[i].size(); ++j)
        apart = std::max(apart, std::abs(exact[i][j] - near[i][j]));
    EXPECT_LT(apart, 0.15);
    EXPECT_GT(apart, 0);
  });
}

TEST(LabelScores, StopBetweenBatches) {
  testing::law("stop", 2, [](Draw& draw) {
    const auto model = some_labeller(draw);
    const Index numbers = model->numbers_per_row(), rows = numbers == 1 ? 300 : 16;
    const std::vector<Ids> sources(static_cast<std::size_t>(12'000 / rows),
                                   Ids(static_cast<std::size_t>(rows * numbers), 5));
    int asked = 0;
    EXPECT_LT(label_scores(*model, sources, [&] { return ++asked > 1; }).size(), sources.size());
  });
}

TEST(LabelScores, RankTheLikeliestFirstAndEqualOnesInOrder) {
  const std::vector<double> scores{-3, -1, -2, -1};
  EXPECT_EQ(ranked(scores, 3), (std::vector<std::size_t>{1, 3, 2}));
  EXPECT_EQ(ranked(scores, 9).size(), 4u);
  EXPECT_EQ(likeliest(scores), 1);
}

}  // namespace
}  // namespace regard
