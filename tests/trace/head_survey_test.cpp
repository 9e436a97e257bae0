#include "regard/trace/head_survey.h"

#include "tests/trace/trace_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

TEST(HeadSurvey, OfOneSentenceIsItsTraceAndSeveralAreJudgedTogether) {
  law("heads over sentences", 18, [](Draw& draw) {
    const LoadedModel model = testing::some_traced_model(draw);
    const std::vector<std::string> texts{testing::some_text(draw), testing::some_text(draw)};
    const std::vector<SurveyedHead> one = survey_heads(model, std::span(texts).first(1));
    const Trace trace =
        trace_translation(model, "m", texts.front(), {.decode = {.beam = 1, .max_length = 64}});
    ASSERT_EQ(one.size(), trace.attention.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].kind, trace.attention[i].kind);
      EXPECT_EQ(one[i].layer, trace.attention[i].layer);
      EXPECT_EQ(one[i].head, trace.attention[i].head);
      EXPECT_EQ(one[i].tag, trace.attention[i].tag);
      EXPECT_NEAR(one[i].entropy, trace.attention[i].entropy, 1e-12);
    }
    const Trace other =
        trace_translation(model, "m", texts.back(), {.decode = {.beam = 1, .max_length = 64}});
    const std::vector<SurveyedHead> both = survey_heads(model, texts);
    for (std::size_t i = 0; i < both.size(); ++i) {
      const TracedHead &a = trace.attention[i], &b = other.attention[i];
      const auto rows = static_cast<double>(a.rows + b.rows);
      EXPECT_NEAR(
          both[i].entropy,
          (a.entropy * static_cast<double>(a.rows) + b.entropy * static_cast<double>(b.rows)) /
              rows,
          1e-12);
      EXPECT_EQ(both[i].tag, tag_over(std::vector{a.matrix(), b.matrix()}));
    }
  });
  EXPECT_TRUE(survey_heads(testing::traced_model(testing::small_spec(), Rng(1)), {}).empty());
}

}  // namespace
}  // namespace regard
