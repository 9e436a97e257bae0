#include "regard/decode/alignment.h"

#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;

/// Words of one to three tokens; now and then a token of none.
std::vector<Index> some_words(Draw& draw, std::size_t tokens) {
  std::vector<Index> words;
  Index word = 0;
  while (words.size() < tokens) {
    for (Index n = draw.integer(1, 3); n > 0 && words.size() < tokens; --n) words.push_back(word);
    ++word;
    if (words.size() < tokens && draw.integer(0, 5) == 0) words.push_back(-1);
  }
  return words;
}

std::vector<PairToAlign> some_pairs(Draw& draw, const SequenceModel& model, Index count) {
  const auto sources = testing::some_sources(draw, model, count);
  auto targets = testing::some_sources(draw, count);
  std::vector<PairToAlign> pairs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    targets[i].pop_back();
    const Index rows = model.source_rows(static_cast<Index>(sources[i].size()));
    pairs.push_back({sources[i], targets[i],
                     some_words(draw, static_cast<std::size_t>(std::max<Index>(rows - 1, 0))),
                     some_words(draw, targets[i].size())});
  }
  return pairs;
}

/// What a model's cross-attention looks at, as the test decides.
class LookingModel final : public testing::ConstantModel {
 public:
  using Look = std::function<double(Index layer, Index head, Index t, Index s)>;
  explicit LookingModel(Look look)
      : ConstantModel(std::vector<double>(10)), look_(std::move(look)) {}

  Var forward(const TokenIds& source, const TokenIds& said, const Pass& pass) const override {
    for (Index layer = 0; layer < 2; ++layer) {
      const auto weights = [=, this](Index b, Index h) {
        std::vector<double> all;
        for (Index t = 0; t < said.segments.length(b); ++t)
          for (Index s = 0; s < source.segments.length(b); ++s)
            all.push_back(look_(layer, h, t, s));
        return Tensor::of({said.segments.length(b), source.segments.length(b)}, all);
      };
      const std::string place = "decoder/" + std::to_string(layer);
      pass.on_attention({place + "/self", 1, 2, {}, {}});
      pass.on_attention({place + "/cross", said.segments.count(), 2, {}, weights});
    }
    return ConstantModel::forward(source, said, pass);
  }

 private:
  Look look_;
};

PairToAlign four_words() {
  return {{4, 5, 6, 7, kEos}, {4, 5, 6, 7}, {0, 1, 2, 3}, {0, 1, 2, 3}};
}

TEST(Align, MergesTokensToWords) {
  const LookingModel model([](Index layer, Index head, Index t, Index s) {
    return static_cast<double>(1000 * layer + 100 * head + 10 * t + s);
  });
  const PairToAlign pair{{4, 5, 6, kEos}, {4, 5, 6}, {0, 0, 1, -1}, {0, 1, 1}};
  const auto by = [&](const AlignmentHead& from) {
    return align(model, std::vector<PairToAlign>{pair}, from)[0].soft.values();
  };
  EXPECT_EQ(by({0, 0}), (std::vector<double>{1, 2, 31, 17}));
  EXPECT_EQ(by({0, 0, true}), (std::vector<double>{21, 12, 51, 27}));
  EXPECT_EQ(by({1, 1}), (std::vector<double>{2201, 1102, 2231, 1117}));
  EXPECT_EQ(by({0, -1}), (std::vector<double>{101, 52, 131, 67}));
  EXPECT_EQ(by({-1, -1}), (std::vector<double>{1101, 552, 1131, 567}));
  EXPECT_EQ(moses(align(model, std::vector<PairToAlign>{pair}, {0, 0})[0].links), "0-1 1-0");
  EXPECT_THROW(by({2, 0}), Error);
  EXPECT_THROW(by({0, 2}), Error);
}

TEST(Align, GivesTheSameBitsInAnyBatch) {
  testing::law("batch", 20, [](Draw& draw) {
    const auto model = testing::some_translator(draw);
    const auto pairs = some_pairs(draw, *model, draw.integer(1, 6));
    const AlignmentHead from{draw.integer(-1, 0), draw.integer(-1, 0), draw.coin()};
    const auto all = align(*model, pairs, from);
    ASSERT_EQ(all.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const WordAlignment alone = align(*model, std::vector<PairToAlign>{pairs[i]}, from)[0];
      EXPECT_EQ(all[i].links, alone.links);
      EXPECT_EQ(all[i].soft.values(), alone.soft.values());
      for (const auto& [source, target] : all[i].links) {
        EXPECT_LT(source, all[i].soft.size(1));
        EXPECT_LT(target, all[i].soft.size(0));
      }
      for (const double weight : all[i].soft.values()) EXPECT_TRUE(weight >= 0 && weight <= 1.0001);
    }
  });
}

TEST(BestAlignmentHead, HasTheGoldLinks) {
  testing::law("gold", 10, [](Draw& draw) {
    const ModelSpec spec = testing::small_spec(testing::some_translating_architecture(draw));
    const auto model = testing::small_model(spec.architecture, draw.rng("model"));
    const auto pairs = some_pairs(draw, *model, 12);
    const AlignmentHead from{draw.integer(0, layers_of(spec, AttentionKind::cross) - 1),
                             draw.integer(0, heads_of(spec, AttentionKind::cross) - 1),
                             draw.coin()};
    std::vector<Links> gold;
    for (const WordAlignment& one : align(*model, pairs, from)) gold.push_back(one.links);
    const auto found = align(*model, pairs, best_alignment_head(*model, pairs, gold));
    for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(found[i].links, gold[i]);
  });
}

TEST(BestAlignmentHead, WithoutGoldIsSureAndForgetsNothing) {
  // Layer 0 looks everywhere alike; layer 1 is sure, head 0 of the first word, head 1 of all in
  // turn.
  const LookingModel model([](Index layer, Index head, Index t, Index s) {
    if (layer == 0) return 0.2;
    return s == (head == 0 ? 0 : 3 - t) ? 0.96 : 0.01;
  });
  const std::vector<PairToAlign> pairs{four_words()};
  const AlignmentHead best = best_alignment_head(model, pairs);
  EXPECT_EQ(best.layer, 1);
  EXPECT_EQ(best.head, 1);
  EXPECT_FALSE(best.shift);
  EXPECT_EQ(moses(align(model, pairs, best)[0].links), "0-3 1-2 2-1 3-0");
}

TEST(BestAlignmentHead, SeesWhenTheModelLooksOneTokenLate) {
  const LookingModel model([](Index layer, Index head, Index t, Index s) {
    return layer == 0 && head == 1 ? (t == s + 1 ? 0.9 : 0.02) : (s == 0 ? 0.3 : 0.2);
  });
  const std::vector<PairToAlign> pairs{four_words()};
  const std::vector<Links> gold{{{0, 0}, {1, 1}, {2, 2}, {3, 3}}};
  const AlignmentHead best = best_alignment_head(model, pairs, gold);
  EXPECT_EQ(align(model, pairs, best)[0].links, gold[0]);
  EXPECT_TRUE(best.shift);
}

TEST(Align, HasNoLinksWithoutWords) {
  const auto model = testing::small_model("transformer", Rng(1));
  const std::vector<PairToAlign> pairs{
      {{kEos}, {}, {}, {}}, {{kEos}, {5}, {}, {0}}, {{5, kEos}, {}, {0}, {}}};
  for (const WordAlignment& one : align(*model, pairs, {})) EXPECT_EQ(moses(one.links), "");
  EXPECT_TRUE(align(*model, {}, {}).empty());
  EXPECT_EQ(best_alignment_head(*model, {}).layer, -1);
  const std::vector<PairToAlign> wrong{{{5, kEos}, {5}, {0, 1, 2}, {0}}};
  EXPECT_THROW(align(*model, wrong, {}), Error);
}

}  // namespace
}  // namespace regard
