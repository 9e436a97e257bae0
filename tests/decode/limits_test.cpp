#include <algorithm>

#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Best;
using testing::ConstantModel;
using testing::Draw;
using testing::Ids;

constexpr double kNever = -INFINITY;

// covers trust property 30: min/max length, prefix
TEST(Limits, HoldForEveryHypothesis) {
  testing::law("limits", 80, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 4);
    const DecodeSpec spec = testing::some_decode_spec(draw);
    std::vector<Ids> prefixes(sources.size());
    if (draw.coin())
      for (Ids& prefix : prefixes)
        for (Index n = draw.integer(0, 4); n > 0; --n)
          prefix.push_back(static_cast<std::int32_t>(draw.integer(3, 29)));
    const Best best = translate(*model, sources, spec, {.prefixes = prefixes});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      ASSERT_FALSE(best[i].empty());
      const auto by_source =
          2 * std::max<Index>(model->source_rows(static_cast<Index>(sources[i].size())) - 1, 0) +
          10;
      const auto limit =
          std::max(std::min(spec.max_length, by_source), static_cast<Index>(prefixes[i].size()));
      for (const Hypothesis& one : best[i]) {
        const auto length = static_cast<Index>(one.ids.size());
        EXPECT_LE(length, limit);
        EXPECT_GE(length, std::min(spec.min_length, limit));
        EXPECT_TRUE(one.finished || length == limit);
        EXPECT_TRUE(std::ranges::equal(prefixes[i], std::span(one.ids).first(prefixes[i].size())));
        for (const std::int32_t id : one.ids) EXPECT_GT(id, kEos);
      }
    }
  });
}

TEST(Limits, FollowTheSourcesLength) {
  const ConstantModel endless({0, 0, -100, -100, 3, 2});
  const std::vector<Ids> sources{{kEos}, {5, 5, 5, kEos}};
  const Best best = translate(endless, sources, {.max_ratio = 1.5});
  EXPECT_EQ(best[0][0].ids, Ids(10, 4));
  EXPECT_EQ(best[1][0].ids, Ids(14, 4));
  EXPECT_FALSE(best[0][0].finished);
  EXPECT_EQ(translate(endless, sources, {.max_length = 40, .max_ratio = 0})[0][0].ids, Ids(40, 4));
}

TEST(Limits, LeaveAPrefixWhole) {
  const auto model = testing::small_model("transformer", Rng(3));
  const std::vector<Ids> source{{7, kEos}}, prefix{{9, 9, 9, 9}};
  const Best best = translate(*model, source, {.max_length = 2}, {.prefixes = prefix});
  EXPECT_EQ(best[0][0].ids, prefix[0]);
  for (const std::int32_t wrong : {kPad, kBos, kEos, -1, 30}) {
    const std::vector<Ids> bad{{5, wrong}};
    EXPECT_THROW(translate(*model, source, {}, {.prefixes = bad}), Error) << wrong;
  }
  const std::vector<Ids> many(2);
  EXPECT_THROW(translate(*model, source, {}, {.prefixes = many}), Error);
}

TEST(Limits, LetAnEmptySourceBeTranslated) {
  testing::law("empty source", 4, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const Ids empty = model->numbers_per_row() == 1 ? Ids{kEos} : Ids();
    const std::vector<Ids> sources{empty, {4, 5, kEos}, empty};
    const Best best = translate(*model, sources, {});
    ASSERT_EQ(best.size(), 3u);
    testing::expect_same(best[0], best[2]);
  });
}

// covers NU15: ties go to the lower id
TEST(Oddities, TiesGoToTheLowerToken) {
  const ConstantModel flat({0, 0, -1, 0, 0, 0});
  const auto best = translate(flat, std::vector<Ids>{{kEos}},
                              {.beam = 4, .n_best = 4, .length_penalty = 0, .max_length = 2})[0];
  ASSERT_EQ(best.size(), 4u);
  std::vector<Ids> ids;
  for (const Hypothesis& one : best) ids.push_back(one.ids);
  // After one token: 3, 4, 5 and the end, which costs 1 more. After two, equal totals are taken
  // by the last token first: 3 after each parent.
  EXPECT_EQ(ids, (std::vector<Ids>{{}, {3, 3}, {4, 3}, {5, 3}}));
}

// covers NU15: all -inf, +inf, one token alone
TEST(Oddities, ImpossibleTokensEndTheSearch) {
  const std::vector<Ids> source{{5, kEos}};
  for (const bool sample : {false, true}) {
    const DecodeSpec spec{.beam = 3, .n_best = 2, .max_length = 5, .sample = sample};
    const ConstantModel only_pad({0, kNever, kNever, kNever, kNever});
    const auto none = translate(only_pad, source, spec)[0];
    ASSERT_FALSE(none.empty());
    EXPECT_EQ(none[0].ids, Ids{});
    EXPECT_EQ(none[0].log_probability, kNever);
    EXPECT_FALSE(none[0].finished);

    const ConstantModel no_end({kNever, kNever, kNever, kNever, 0});
    const auto cut = translate(no_end, source, spec)[0];
    EXPECT_EQ(cut[0].ids, Ids(5, 4));
    EXPECT_FALSE(cut[0].finished);

    const ConstantModel only_end({kNever, kNever, 0, kNever, kNever});
    const auto ended = translate(only_end, source, spec)[0];
    EXPECT_EQ(ended[0].ids, Ids{});
    EXPECT_EQ(ended[0].score, 0);
    EXPECT_TRUE(ended[0].finished);

    const ConstantModel certain({0, 0, 0, 0, INFINITY});
    EXPECT_EQ(translate(certain, source, spec)[0][0].ids, Ids(5, 4));

    const ConstantModel nothing(std::vector<double>(5, kNever));
    testing::expect_same(translate(nothing, source, spec)[0], translate(nothing, source, spec)[0]);
  }
}

TEST(Oddities, NotANumberIsTheModelsFault) {
  const std::vector<Ids> source{{5, kEos}}, prefix{{4}};
  const ConstantModel broken({0, 0, 0, NAN, 0});
  for (const DecodeSpec& spec :
       {DecodeSpec{}, DecodeSpec{.sample = true}, DecodeSpec{.max_length = 0}})
    try {
      translate(broken, source, spec);
      ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_NE(std::string(error.what()).find("NaN"), std::string::npos);
    }
  EXPECT_THROW(translate(broken, source, {}, {.prefixes = prefix}), Error);
}

// covers NU15: alpha 0 and -1, min > max, fewer texts than the beam is wide
TEST(Oddities, StrangeSettingsEndToo) {
  testing::law("strange", 20, [](Draw& draw) {
    const auto model = testing::some_model(draw, 5);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 3);
    for (const double alpha : {0.0, -1.0, 10.0})
      for (const auto& best : translate(*model, sources, {.length_penalty = alpha}))
        EXPECT_EQ(best.size(), 1u);
    for (const auto& best : translate(*model, sources, {.max_length = 3, .min_length = 9}))
      EXPECT_EQ(best[0].ids.size(), 3u);
    for (const auto& best : translate(*model, sources, {.beam = 64, .n_best = 64, .max_length = 1}))
      EXPECT_EQ(best.size(), 3u);  // "", "3", "4"
  });
}

}  // namespace
}  // namespace regard
