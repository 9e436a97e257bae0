#include <algorithm>

#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;

/// Says the next token by the last one alone: p(v | u) is the softmax of logits[u][v].
class BigramModel final : public testing::ConstantModel {
 public:
  explicit BigramModel(const Tensor& logits)
      : ConstantModel({0}), vocabulary_(logits.size(0)), output_(Var(transposed(logits))) {}

  Tensor step(std::span<const std::int32_t> said, IncrementalState&, const Pass&) const override {
    Tensor rows({static_cast<Index>(said.size()), vocabulary_});
    for (std::size_t i = 0; i < said.size(); ++i)
      rows.span<f32>()[i * static_cast<std::size_t>(vocabulary_) +
                       static_cast<std::size_t>(said[i])] = 1;
    return rows;
  }
  const OutputLayer& output() const override { return output_; }

  /// log p(text, end).
  double log_probability(const Ids& text) const {
    Ids said{kBos};
    said.insert(said.end(), text.begin(), text.end());
    testing::ConstantModel none({0});
    const Tensor log_p = output_.log_probabilities(step(said, *none.start({}, {}), {}));
    double total = 0;
    for (std::size_t t = 0; t <= text.size(); ++t)
      total += log_p.at({static_cast<Index>(t), t < text.size() ? text[t] : kEos});
    return total;
  }

 private:
  static Tensor transposed(const Tensor& x) {
    Tensor y = Tensor::like(x);
    for (Index i = 0; i < x.size(0); ++i)
      for (Index j = 0; j < x.size(1); ++j)
        y.span<f32>()[static_cast<std::size_t>(j * x.size(0) + i)] = static_cast<f32>(x.at({i, j}));
    return y;
  }

  Index vocabulary_;
  OutputLayer output_;
};

double score_of(const BigramModel& model, const Ids& text, double alpha) {
  return model.log_probability(text) / std::pow((6 + static_cast<double>(text.size())) / 6, alpha);
}

/// Every text of tokens 3 and 4, up to that length.
std::vector<Ids> every_text(std::size_t longest) {
  std::vector<Ids> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const std::int32_t token : {3, 4})
      if (all[i].size() < longest) {
        all.push_back(all[i]);
        all.back().push_back(token);
      }
  return all;
}

/// However soon the search believes itself decided, nothing it did not wait for would have won.
TEST(Finish, IsNotTooSoonForAnyPenalty) {
  testing::law("finish", 600, [](Draw& draw) {
    const BigramModel model(Tensor::uniform({5, 5}, draw.rng("logits"), Dtype::f32, -5, 5));
    const double alpha = static_cast<double>(draw.integer(-8, 16)) / 2;
    const Index longest = draw.integer(1, 5), n_best = draw.integer(1, 3);
    std::vector<double> scores;
    for (const Ids& text : every_text(static_cast<std::size_t>(longest)))
      scores.push_back(score_of(model, text, alpha));
    std::ranges::sort(scores, std::greater{});
    const auto found = translate(
        model, std::vector<Ids>{{kEos}},
        {.beam = 64, .n_best = n_best, .length_penalty = alpha, .max_length = longest})[0];
    ASSERT_EQ(static_cast<Index>(found.size()), n_best);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].score, scores[i], 1e-9 + 1e-6 * std::abs(scores[i]));
      EXPECT_NEAR(found[i].score, score_of(model, found[i].ids, alpha), 1e-9);
    }
  });
}

TEST(Finish, MarksWhatALimitCutShort) {
  Tensor logits({5, 5});  // all alike, but 4 is likely after 4, and the end after 3
  logits.span<f32>()[4 * 5 + 4] = 9;
  logits.span<f32>()[3 * 5 + kEos] = 9;
  const BigramModel model(logits);
  const auto with = [&](std::int32_t prefix) {
    const std::vector<Ids> prefixes{{prefix}};
    return translate(model, std::vector<Ids>{{kEos}}, {.max_length = 1}, {.prefixes = prefixes})[0];
  };
  EXPECT_TRUE(with(3)[0].finished);
  EXPECT_FALSE(with(4)[0].finished);
  EXPECT_DOUBLE_EQ(with(4)[0].log_probability, model.log_probability({4}));
}

}  // namespace
}  // namespace regard
