#include <algorithm>
#include <set>

#include "regard/decode/score.h"
#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Best;
using testing::Draw;
using testing::Ids;

/// log p of every token after `said`, read all at once, without any kept state.
std::vector<double> recomputed(const SequenceModel& model, const Ids& source, const Ids& said) {
  const NoGrad quiet;
  Ids input{kBos};
  input.insert(input.end(), said.begin(), said.end());
  const Tensor rows =
      model.forward(TokenIds::ragged({source}), TokenIds::ragged({input}), {}).value();
  const std::vector<double> all = model.output().log_probabilities(rows).values();
  return {all.end() - model.output().vocabulary(), all.end()};
}

/// Greedy search as the textbook has it.
Ids greedy(const SequenceModel& model, const Ids& source, Index max_length) {
  Ids said;
  while (static_cast<Index>(said.size()) < max_length) {
    std::vector<double> log_p = recomputed(model, source, said);
    log_p[kPad] = log_p[kBos] = -INFINITY;
    const auto token = static_cast<std::int32_t>(std::ranges::max_element(log_p) - log_p.begin());
    if (token == kEos) break;
    said.push_back(token);
  }
  return said;
}

// covers trust property 30
TEST(Beam, OfOneIsGreedySearch) {
  testing::law("greedy", 40, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 4);
    const DecodeSpec spec{.beam = 1,
                          .length_penalty = static_cast<double>(draw.integer(-2, 4)) / 2,
                          .max_length = draw.integer(0, 9)};
    const Best best = translate(*model, sources, spec);
    for (std::size_t i = 0; i < sources.size(); ++i)
      EXPECT_EQ(best[i][0].ids, greedy(*model, sources[i], spec.max_length));
  });
}

double penalised(double log_p, std::size_t tokens, double alpha) {
  return log_p / std::pow((5 + static_cast<double>(tokens)) / 6, alpha);
}

/// Every text of up to `longest` tokens from 3 on, shortest first.
std::vector<Ids> every_text(Index vocabulary, Index longest) {
  std::vector<Ids> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<Index>(all[i].size()) == longest) continue;
    for (std::int32_t token = kUnk; token < vocabulary; ++token) {
      all.push_back(all[i]);
      all.back().push_back(token);
    }
  }
  return all;
}

TEST(Beam, AsWideAsAllTextsFindsTheBestOfThem) {
  testing::law("exhaustive", 20, [](Draw& draw) {
    const Index vocabulary = 6, longest = 4;
    const auto model = testing::some_model(draw, vocabulary);
    const Ids source = testing::some_sources(draw, *model, 1)[0];
    const double alpha = static_cast<double>(draw.integer(-2, 4)) / 2;
    const std::vector<Ids> texts = every_text(vocabulary, longest);
    const std::vector<PairScore> scores =
        score_pairs(*model, std::vector<Ids>(texts.size(), source), texts);
    std::vector<double> sorted;
    for (std::size_t i = 0; i < texts.size(); ++i)
      sorted.push_back(penalised(scores[i].log_probability, texts[i].size() + 1, alpha));
    const auto top = std::ranges::max_element(sorted) - sorted.begin();
    const Ids expected = texts[static_cast<std::size_t>(top)];
    std::ranges::sort(sorted, std::greater{});
    const auto found =
        translate(*model, std::vector<Ids>{source},
                  {.beam = 1000, .n_best = 7, .length_penalty = alpha, .max_length = longest})[0];
    ASSERT_EQ(found.size(), 7u);
    EXPECT_EQ(found[0].ids, expected);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i].score, sorted[i], 1e-5);
  });
}

// covers trust properties 26 and 30: cached = recomputed, forced = reported
TEST(Beam, ReportsWhatForcedReadingGives) {
  testing::law("forced", 60, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 3);
    const DecodeSpec spec = testing::some_decode_spec(draw);
    const Best best = translate(*model, sources, spec);
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (const Hypothesis& one : best[i]) {
        const PairScore score =
            score_pairs(*model, std::vector<Ids>{sources[i]}, std::vector<Ids>{one.ids})[0];
        EXPECT_NEAR(score.log_probability, one.log_probability, 1e-5);
        ASSERT_EQ(score.tokens.size(), one.token_log_probabilities.size());
        for (std::size_t t = 0; t < score.tokens.size(); ++t)
          EXPECT_NEAR(score.tokens[t], one.token_log_probabilities[t], 1e-5);
        EXPECT_DOUBLE_EQ(one.score,
                         penalised(one.log_probability, one.ids.size() + 1, spec.length_penalty));
        if (draw.number() % 2 == 0) {  // a Transformer's steps are its whole pass to the bit
          EXPECT_TRUE(testing::same_bits(score.log_probability, one.log_probability));
        }
      }
  });
}

TEST(Beam, GivesItsBestSortedAndDistinctHoweverManyAreAsked) {
  testing::law("n best", 40, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> source = testing::some_sources(draw, *model, 1);
    DecodeSpec spec = testing::some_decode_spec(draw);
    spec.sample = false;
    spec.n_best = spec.beam;
    const std::vector<Hypothesis> all = translate(*model, source, spec)[0];
    std::set<Ids> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_TRUE(seen.insert(all[i].ids).second);
      if (i) {
        EXPECT_GE(all[i - 1].score, all[i].score);
      }
    }
    for (spec.n_best = 1; spec.n_best <= static_cast<Index>(all.size()); ++spec.n_best)
      testing::expect_same(translate(*model, source, spec)[0],
                           {all.begin(), all.begin() + spec.n_best});
  });
}

TEST(Beam, CannotGiveMoreThanItKeeps) {
  const auto model = testing::small_model("transformer", Rng(1));
  const std::vector<Ids> source{{5, kEos}};
  EXPECT_THROW(translate(*model, source, {.beam = 2, .n_best = 3}), Error);
  EXPECT_THROW(translate(*model, source, {.beam = 0, .n_best = 0}), Error);
}

// covers NU15: beam > vocabulary
TEST(Beam, MayBeWiderThanTheVocabulary) {
  testing::law("wide", 10, [](Draw& draw) {
    const auto model = testing::some_model(draw, 5);
    const auto best = translate(*model, testing::some_sources(draw, *model, 2),
                                {.beam = 50, .n_best = 50, .max_length = 3});
    for (const auto& one : best) EXPECT_EQ(one.size(), 15u);  // 1 + 2 + 4 + 8 texts of two tokens
  });
}

TEST(Beam, IsNotWorseThanGreedySearchAsARule) {
  int better = 0, worse = 0;
  testing::law("wider", 30, [&](Draw& draw) {
    const auto model = testing::some_model(draw);
    const auto sources = testing::some_sources(draw, *model, 3);
    const Best narrow = translate(*model, sources, {.beam = 1, .max_length = 8}),
               wide = translate(*model, sources, {.beam = 8, .max_length = 8});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      better += wide[i][0].score > narrow[i][0].score;
      worse += wide[i][0].score < narrow[i][0].score;
    }
  });
  EXPECT_GT(better, 5 * worse);
}

}  // namespace
}  // namespace regard
