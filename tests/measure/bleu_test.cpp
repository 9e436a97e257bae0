#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "tests/measure/nasty_text.h"
#include "tests/measure/sacrebleu.h"

namespace regard {
namespace {

using testing::Figures;
using testing::MeasureCase;

constexpr const char* kCorpus = R"json(
{"hypotheses": ["The black cat sat on the mat, and it weighed 1,000.5 kg.",
  "He said &quot;no&quot; &amp; left -- at 5-6 o'clock (sharp)!",
  "Der Mann\u00a0l\u00e4uft durch die Stra\u00dfe \u2026 \u00bbschnell\u00ab, 50\u20ac.",
  "\u732b\u304c\u597d\u304d\u3067\u3059\u3002 \ud83d\ude00\ud83d\ude00",
  "", "\u039f\u0394\u039f\u03a3 \u0391\u0398\u0397\u039d\u0391\u03a3, \u0130stanbul"],
 "references": [["The black cat sat on a mat and it weighed 1,000.5 kg.",
  "He said \"no\" & left - at 5-6 o'clock (sharp).",
  "Ein Mann l\u00e4uft durch die Stra\u00dfe \u2026 \u00bbschnell\u00ab, 50 \u20ac.",
  "\u732b\u304c\u5927\u597d\u304d\u3067\u3059\u3002 \ud83d\ude00",
  "nothing here", "\u03bf\u03b4\u03cc\u03c2 \u0391\u03b8\u03ae\u03bd\u03b1\u03c2, \u0130STANBUL"],
 ["A black cat was sitting on the mat, and it weighed 1,000.5 kg!",
  "He answered \"no\" and left at 5-6 o'clock, (sharp)!",
  "der mann l\u00e4uft\u202fdurch die STRASSE ... schnell , 50\u20ac .",
  "\u732b\u304c\u597d\u304d\u3002",
  "", "\u03bf\u03b4\u03bf\u03c2 \u03b1\u03b8\u03b7\u03bd\u03b1\u03c2, i\u0307stanbul"]]}
)json";

struct Golden {
  std::size_t references;
  bool lower_case;
  const char* tokenize;
  Figures figures;  ///< of sacreBLEU 2.6.0 on kCorpus
};

const std::vector<Golden> kGolden{
    {1,
     false,
     "13a",
     {62.777278747370424, 77.08333333333333, 67.44186046511628, 63.1578947368421, 55.88235294117647,
      0.9591894571091382, 48, 50, 67.35309781547203, 65.86918477753113}},
    {1,
     false,
     "none",
     {45.306001490044196, 63.888888888888886, 54.83870967741935, 46.15384615384615,
      36.36363636363637, 0.9200444146293233, 36, 39, 67.35309781547203, 65.86918477753113}},
    {1,
     false,
     "char",
     {67.25851253255641, 74.54545454545455, 69.375, 64.51612903225806, 61.333333333333336, 1.0, 165,
      158, 67.35309781547203, 65.86918477753113}},
    {1,
     false,
     "intl",
     {55.52205455811059, 70.0, 58.18181818181818, 50.0, 46.666666666666664, 1.0, 60, 53,
      67.35309781547203, 65.86918477753113}},
    {1,
     true,
     "13a",
     {63.73511421808352, 79.16666666666667, 69.76744186046511, 63.1578947368421, 55.88235294117647,
      0.9591894571091382, 48, 50, 74.68165783387497, 71.96242555396152}},
    {1,
     true,
     "none",
     {45.79062658885418, 66.66666666666667, 54.83870967741935, 46.15384615384615, 36.36363636363637,
      0.9200444146293233, 36, 39, 74.68165783387497, 71.96242555396152}},
    {1,
     true,
     "char",
     {74.93364775713616, 83.73493975903614, 77.63975155279503, 71.7948717948718, 67.54966887417218,
      1.0, 166, 159, 74.68165783387497, 71.96242555396152}},
    {1,
     true,
     "intl",
     {56.280935832552494, 71.66666666666667, 60.0, 50.0, 46.666666666666664, 1.0, 60, 53,
      74.68165783387497, 71.96242555396152}},
    {2,
     false,
     "13a",
     {79.45324913938623, 85.41666666666667, 83.72093023255815, 78.94736842105263, 70.58823529411765,
      1.0, 48, 48, 69.69020928457877, 67.6207015716244}},
    {2,
     false,
     "none",
     {58.890200169958, 72.22222222222223, 64.51612903225806, 57.69230769230769, 50.0,
      0.9726044771163485, 36, 37, 69.69020928457877, 67.6207015716244}},
    {2,
     false,
     "char",
     {76.28820976582828, 81.21212121212122, 78.125, 74.83870967741936, 71.33333333333333, 1.0, 165,
      153, 69.69020928457877, 67.6207015716244}},
    {2,
     false,
     "intl",
     {64.67003494708736, 75.0, 67.27272727272727, 60.0, 57.77777777777778, 1.0, 60, 51,
      69.69020928457877, 67.6207015716244}},
    {2,
     true,
     "13a",
     {86.74749394192142, 91.66666666666667, 93.02325581395348, 86.84210526315789, 76.47058823529412,
      1.0, 48, 48, 78.54695766409378, 76.05517351300921}},
    {2,
     true,
     "none",
     {66.08611303674952, 80.55555555555556, 74.19354838709677, 65.38461538461539, 54.54545454545455,
      0.9726044771163485, 36, 37, 78.54695766409378, 76.05517351300921}},
    {2,
     true,
     "char",
     {84.88565998356842, 88.55421686746988, 85.71428571428571, 83.97435897435898, 81.45695364238411,
      1.0, 166, 154, 78.54695766409378, 76.05517351300921}},
    {2,
     true,
     "intl",
     {70.34774032942211, 80.0, 74.54545454545455, 66.0, 62.22222222222222, 1.0, 60, 51,
      78.54695766409378, 76.05517351300921}},
};

TEST(Bleu, GivesTheFiguresOfSacrebleu) {
  const auto corpus = nlohmann::json::parse(kCorpus);
  for (const Golden& golden : kGolden) {
    MeasureCase c{.hypotheses = corpus["hypotheses"],
                  .references = corpus["references"],
                  .spec = {.tokenize = golden.tokenize, .lower_case = golden.lower_case}};
    c.references.resize(golden.references);
    const Figures ours = testing::our_figures(c);
    ASSERT_EQ(ours.size(), golden.figures.size());
    for (std::size_t k = 0; k < ours.size(); ++k)
      EXPECT_NEAR(ours[k], golden.figures[k], 1e-9)
          << "figure " << k << ", " << golden.references << " references, " << golden.tokenize
          << ", lower case " << golden.lower_case;
  }
}

/// With "none" the score by hand: 3 of 4 words, 2 of 3, 1 of 2, and 0 of 1 smoothed to a half.
TEST(Bleu, IsWhatTheFormulaSays) {
  const std::vector<std::string> hypothesis{"a b c x"};
  const double expected = 100 * std::pow(3.0 / 4 * 2 / 3 * 1 / 2 * 1 / 2, 0.25);
  EXPECT_NEAR(bleu(hypothesis, {{"a b c d"}}).score, expected, 1e-12);
  const Bleu brief = bleu(hypothesis, {{"a b c d e f"}});
  EXPECT_NEAR(brief.brevity_penalty, std::exp(1 - 6.0 / 4), 1e-15);
  EXPECT_NEAR(brief.score, expected * std::exp(1 - 6.0 / 4), 1e-12);
  // Of two lengths equally close the shorter counts; a word may match as often as in one reference.
  const Bleu several = bleu(hypothesis, {{"a b c d e"}, {"c c x"}});
  EXPECT_EQ(several.reference_length, 3);
  EXPECT_EQ(several.precisions[0], 100);
}

TEST(Bleu, SignsItsFigures) {
  const std::vector<std::string> line{"a"};
  EXPECT_EQ(bleu(line, {line}).signature,
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:regard-0.1");
  EXPECT_EQ(bleu(line, {line, line}, {.tokenize = "intl", .lower_case = true}).signature,
            "nrefs:2|case:lc|eff:no|tok:intl|smooth:exp|version:regard-0.1");
  EXPECT_EQ(chrf(line, {line}).signature,
            "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:regard-0.1");
  EXPECT_EQ(chrf(line, {line, line}, {.word_order = 2, .lower_case = true}).signature,
            "nrefs:2|case:lc|eff:yes|nc:6|nw:2|space:no|version:regard-0.1");
}

TEST(Bleu, NothingScoresNothing) {
  for (const auto& [hypotheses, references] :
       std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
           {{}, {}}, {{""}, {""}}, {{""}, {"a b"}}, {{"a b"}, {""}}, {{"a b"}, {"c d"}}}) {
    EXPECT_EQ(bleu(hypotheses, {references}).score, 0);
    EXPECT_EQ(chrf(hypotheses, {references}).score, 0);
  }
}

TEST(Bleu, RefusesWhatDoesNotFit) {
  const std::vector<std::string> one{"a"}, two{"a", "b"};
  EXPECT_THROW(bleu(one, {}), Error);
  EXPECT_THROW(bleu(one, {one, two}), Error);
  EXPECT_THROW(chrf(one, {}), Error);
  EXPECT_THROW(chrf(one, {two}), Error);
  EXPECT_THROW(chrf(one, {one}, {.word_order = 5}), Error);
  try {
    bleu(one, {one}, {.tokenize = "13b"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean '13a'?"), std::string::npos);
  }
}

std::vector<std::string> long_lines(testing::Draw& draw) {
  std::vector<std::string> lines;
  for (Index i = draw.integer(1, 8); i > 0; --i)
    lines.push_back("a b c d e " + testing::joined(testing::nasty_fragments(draw)));
  return lines;
}

TEST(Bleu, LawsOfAScore) {
  testing::law(
      "a text scores 100 against itself, whatever else is a reference", 100,
      [](testing::Draw& draw) {
        const auto lines = long_lines(draw);
        auto others = lines;
        for (std::string& other : others) other = testing::joined(testing::nasty_fragments(draw));
        for (const char* tokenize : {"13a", "none", "char", "intl"})
          EXPECT_NEAR(bleu(lines, {others, lines}, {.tokenize = tokenize}).score, 100, 1e-9);
        for (const Index order : {0, 2})
          EXPECT_NEAR(chrf(lines, {others, lines}, {.word_order = order}).score, 100, 1e-9);
      });
  testing::law("the order of lines and of references is no matter", 100, [](testing::Draw& draw) {
    const auto hypotheses = long_lines(draw);
    std::vector<std::vector<std::string>> references(2, hypotheses);
    for (auto& reference : references)
      for (std::string& line : reference) line = "a b c " + testing::reworded({line, " "}, draw);
    MeasureCase c{hypotheses, references}, turned = c;
    std::ranges::reverse(turned.hypotheses);
    std::ranges::reverse(turned.references);
    for (auto& reference : turned.references) std::ranges::reverse(reference);
    const double score = bleu(c.hypotheses, c.references).score;
    EXPECT_EQ(score, bleu(turned.hypotheses, turned.references).score);
    EXPECT_GT(score, 0);
    EXPECT_LE(score, 100 + 1e-9);
  });
}

}  // namespace
}  // namespace regard
