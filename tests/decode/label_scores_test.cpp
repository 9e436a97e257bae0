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

/// More texts than a batch holds, and each alone.
TEST(LabelScores, AreTheSameInAnyBatchAndAddUpToOne) {
  testing::law("any batch", 6, [](Draw& draw) {
    const auto model = some_labeller(draw);
    const std::vector<Ids> texts = testing::some_sources(draw, 40, draw.coin() ? 300 : 6);
    const std::vector<std::vector<double>> all = label_scores(*model, texts);
    ASSERT_EQ(all.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(label_scores(*model, std::span(texts).subspan(i, 1)).front(), all[i]);
      double sum = 0;
      for (const double log_p : all[i]) sum += elementary::exp(log_p);
      EXPECT_NEAR(sum, 1, 1e-6);
    }
    model->pack();
    EXPECT_EQ(label_scores(*model, texts), all);
  });
}

TEST(LabelScores, OfAnInt8ModelAreNear) {
  testing::law("int8", 6, [](Draw& draw) {
    const auto plain = some_labeller(draw), rounded = some_labeller(draw);
    rounded->quantise();
    rounded->pack();
    const std::vector<Ids> texts = testing::some_sources(draw, 10);
    const auto exact = label_scores(*plain, texts), near = label_scores(*rounded, texts);
    double apart = 0;
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < exact[i].size(); ++j)
        apart = std::max(apart, std::abs(exact[i][j] - near[i][j]));
    EXPECT_LT(apart, 0.15);
    EXPECT_GT(apart, 0);
  });
}

TEST(LabelScores, StopBetweenBatches) {
  testing::law("stop", 2, [](Draw& draw) {
    const auto model = some_labeller(draw);
    const std::vector<Ids> texts(40, Ids(300, 5));
    int asked = 0;
    EXPECT_LT(label_scores(*model, texts, [&] { return ++asked > 1; }).size(), texts.size());
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
