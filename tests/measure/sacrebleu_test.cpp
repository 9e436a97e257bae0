#include "tests/measure/sacrebleu.h"

#include <gtest/gtest.h>

#include "tests/measure/nasty_text.h"

namespace regard {
namespace {

using testing::MeasureCase;

MeasureCase draw_case(testing::Draw& draw, const BleuSpec& spec) {
  MeasureCase c{.hypotheses = {}, .references = {}, .spec = spec};
  c.references.resize(static_cast<std::size_t>(draw.integer(1, 3)));
  const Index lines = draw.number() % 3 == 0 ? draw.integer(1, 2) : draw.integer(5, 40);
  for (Index i = 0; i < lines; ++i) {
    const auto fragments = testing::nasty_fragments(draw);
    c.hypotheses.push_back(testing::reworded(fragments, draw));
    for (auto& reference : c.references)
      reference.push_back(draw.integer(0, 9) == 0 ? testing::joined(testing::nasty_fragments(draw))
                                                  : testing::reworded(fragments, draw));
  }
  return c;
}

TEST(Sacrebleu, AgreesOnNastyText) {
  const std::string python = testing::python_with_sacrebleu();
  if (python.empty())
    GTEST_SKIP() << "skipped: no sacreBLEU (pip install sacrebleu, or set REGARD_PYTHON)";
  std::vector<MeasureCase> cases;
  for (const char* tokenize : {"13a", "none", "char", "intl"})
    for (const bool lower_case : {false, true})
      for (int number = 0; number < 15; ++number) {
        testing::Draw draw(Rng(1).fork(static_cast<std::uint64_t>(cases.size())), number);
        cases.push_back(draw_case(draw, {.tokenize = tokenize, .lower_case = lower_case}));
      }
  const auto theirs = testing::sacrebleu_figures(python, cases);
  ASSERT_EQ(theirs.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const testing::Figures ours = testing::our_figures(cases[i]);
    ASSERT_EQ(ours.size(), theirs[i].size());
    for (std::size_t k = 0; k < ours.size(); ++k)
      EXPECT_NEAR(ours[k], theirs[i][k], 1e-9)
          << "figure " << k << " of case " << i << ", tokenize " << cases[i].spec.tokenize
          << ", lower case " << cases[i].spec.lower_case;
  }
}

TEST(Sacrebleu, AgreesOnLinesTerAndResamples) {
  const std::string python = testing::python_with_sacrebleu();
  if (python.empty())
    GTEST_SKIP() << "skipped: no sacreBLEU (pip install sacrebleu, or set REGARD_PYTHON)";
  std::vector<MeasureCase> cases;
  for (int number = 0; number < 8; ++number) {
    testing::Draw draw(Rng(2).fork(static_cast<std::uint64_t>(number)), number);
    cases.push_back(draw_case(draw, {.lower_case = number % 2 == 1}));
    for (const std::string& line : cases.back().hypotheses)
      cases.back().baseline.push_back(testing::reworded({line, " ", "x"}, draw));
    // Lines long enough for moves, and for the limits on them.
    std::vector<std::string> words;
    for (Index i = draw.integer(20, 120); i > 0; --i)
      words.push_back(std::string(1, static_cast<char>('a' + draw.integer(0, 20))) + " ");
    cases.back().hypotheses.push_back(testing::joined(words));
    std::ranges::rotate(words, words.begin() + draw.integer(1, 15));
    cases.back().baseline.push_back(testing::joined(words));
    std::ranges::reverse(words.begin(), words.begin() + 12);
    for (auto& reference : cases.back().references) reference.push_back(testing::joined(words));
  }
  const auto theirs = testing::sacrebleu_figures(python, cases, testing::kSacrebleuLinesScript);
  ASSERT_EQ(theirs.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const testing::Figures ours = testing::our_line_figures(cases[i]);
    ASSERT_EQ(ours.size(), theirs[i].size());
    // Resamples are scored in f32 there.
    const std::size_t resampled = ours.size() - 15;
    for (std::size_t k = 0; k < ours.size(); ++k)
      EXPECT_NEAR(ours[k], theirs[i][k], k < resampled || (k - resampled) % 5 == 0 ? 1e-9 : 1e-3)
          << "figure " << k << " of " << ours.size() << ", case " << i;
  }
}

}  // namespace
}  // namespace regard
