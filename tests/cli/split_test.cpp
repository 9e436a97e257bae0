// translate --split, and what translate, score and inspect say of unknown words.
#include <gtest/gtest.h>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

Outcome translate(const std::string& model, std::vector<std::string> more,
                  const std::string& input) {
  more.insert(more.begin(), {"translate", "--model", model});
  return run_regard(more, {.input = input});
}

std::string line_of(const std::string& model, const std::string& text,
                    std::vector<std::string> more = {}) {
  const std::vector<std::string> lines =
      lines_of(translate(model, std::move(more), text + "\n").out);
  return lines.empty() ? "none" : lines.front();
}

TEST(TranslateSplit, JoinsSentencesWithTheSpaceOfTheLine) {
  const Folder folder;
  for (const testing::SmallModel& kind : std::vector<testing::SmallModel>{{}, {.subwords = true}}) {
    const std::string model = write_small_model(folder, kind);
    const Outcome split = translate(model, {"--split"},
                                    "\t the black cat .  a b c ?\u00A0d e \n\n \nthe cat sleeps\n");
    ASSERT_EQ(split.code, 0) << split.err;
    const std::string first = line_of(model, "the black cat ."), second = line_of(model, "a b c ?"),
                      third = line_of(model, "d e"), last = line_of(model, "the cat sleeps");
    EXPECT_EQ(split.out,
              "  " + first + "  " + second + "\u00A0" + third + " \n\n \n" + last + "\n");
  }
}

TEST(TranslateSplit, OneSentenceIsTheSameAsWithout) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string input = "a b c\nthe black cat sleeps at home .\n\np o n m l k j i\nd ?\n";
  for (const std::vector<std::string>& way :
       std::vector<std::vector<std::string>>{{},
                                             {"--scores", "--alignment"},
                                             {"--alignment=soft"},
                                             {"--n-best", "3"},
                                             {"--sample", "--seed", "3", "--n-best", "2"},
                                             {"--prefix", "A"}}) {
    std::vector<std::string> split = way;
    split.emplace_back("--split");
    EXPECT_EQ(translate(model, split, input).out, translate(model, way, input).out);
  }
}

TEST(TranslateSplit, IsTheSameInAnyBatch) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  std::string input;
  for (int i = 0; i < 20; ++i)
    input += "the cat . a b c d ! e f" + std::string(static_cast<std::size_t>(i), 'g') + "\n";
  const std::vector<std::string> flags{"--split", "--scores", "--alignment"};
  const Outcome first = translate(model, flags, input);
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {"--batch-tokens", "1"}, {"--threads", "1"}, {"--interactive"}}) {
    std::vector<std::string> all = flags;
    all.insert(all.end(), way.begin(), way.end());
    EXPECT_EQ(translate(model, all, input).out, first.out);
  }
}

TEST(TranslateSplit, ScoresAddUpAndWordsAreNumberedOn) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string line = "the cat .  a wombat b ?";
  const auto whole = nlohmann::json::parse(
      line_of(model, line, {"--split", "--json", "--alignment=soft", "--n-best", "2"}));
  EXPECT_EQ(whole.at("source"), line);
  ASSERT_EQ(whole.at("sentences").size(), 2u);
  double score = 0, log_probability = 0;
  std::size_t rows = 0;
  for (const auto& one : whole["sentences"]) {
    const std::string source = one.at("source");
    const auto alone = nlohmann::json::parse(
        line_of(model, source, {"--json", "--alignment=soft", "--n-best", "2"}));
    for (const char* key : {"translation", "score", "tokens", "alignment", "hypotheses", "unknown",
                            "source_tokens", "soft_alignment", "finished"})
      EXPECT_EQ(one.at(key), alone.at(key)) << key;
    const std::size_t start = one.at("start"), end = one.at("end");
    EXPECT_EQ(line.substr(start, end - start), source);
    score += one.at("score").get<double>();
    log_probability += one.at("log_probability").get<double>();
    rows += one.at("soft_alignment").size();
  }
  EXPECT_DOUBLE_EQ(whole.at("score"), score);
  EXPECT_DOUBLE_EQ(whole.at("log_probability"), log_probability);
  ASSERT_EQ(whole.at("soft_alignment").size(), rows);
  for (const auto& row : whole["soft_alignment"]) EXPECT_EQ(row.size(), 7u);
  EXPECT_EQ(whole.at("unknown"),
            nlohmann::json::parse(R"([{"text":"wombat","start":13,"end":19}])"));
  EXPECT_EQ(whole.at("hypotheses").size(), 2u);
}

TEST(TranslateSplit, NoCharacterOfAGapEndsALine) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const Outcome outcome =
      translate(model, {"--split"}, "the cat .\ra b .\f \u2028c .\v\u0085d .\n");
  EXPECT_EQ(outcome.out.find_first_of("\r\f\v"), std::string::npos);
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1);
  EXPECT_EQ(outcome.out.find("\u2028"), std::string::npos);
}

TEST(UnknownWords, AreNamedOnceAtTheEnd) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const Outcome known = translate(model, {}, "a b\n");
  EXPECT_EQ(known.err, "");
  const Outcome outcome = translate(model, {}, "a wombat b\n\nwombat quokka\n");
  EXPECT_EQ(outcome.err,
            "regard: warning: 2 words are not in the source vocabulary, read as <unk>: 'wombat' (2 "
            "times, first in line 1), 'quokka' (line 3)\n");
  EXPECT_EQ(translate(model, {"-q"}, "a wombat b\n").err, "");
  std::string many;
  for (int i = 0; i < 30; ++i) many += "w" + std::to_string(i) + "\n";
  const Outcome bounded = translate(model, {}, many);
  EXPECT_NE(bounded.err.find("30 words are"), std::string::npos) << bounded.err;
  EXPECT_NE(bounded.err.find("'w9' (line 10) and 20 more\n"), std::string::npos) << bounded.err;
  const Outcome live = translate(model, {"--interactive"}, "wombat\na\nwombat\n");
  EXPECT_EQ(lines_of(live.err).size(), 2u) << live.err;
  const Outcome hostile = translate(model, {}, "a\x1b[31m\u202Eb " + std::string(5000, 'x') + "\n");
  EXPECT_LT(hostile.err.size(), 300u);
  EXPECT_EQ(hostile.err.find('\x1b'), std::string::npos);
  EXPECT_NE(translate(model, {}, "a \u202E\n").err.find("'U+202E' (line 1)"), std::string::npos);
}

TEST(UnknownWords, AnEmptyTranslationIsCounted) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const Outcome outcome = translate(model, {"--max-length", "0"}, "a b\n\nc d\n");
  EXPECT_EQ(outcome.out, "\n\n\n");
  EXPECT_EQ(outcome.err,
            "regard: warning: 2 lines have an empty translation, the first in line 1\n");
}

TEST(UnknownWords, OfSubwordsAreCharacters) {
  const Folder folder;
  const std::string model = write_small_model(folder, {.subwords = true});
  const Outcome outcome = translate(model, {"--json"}, "the cats 你好 sleep\n");
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("unknown"),
            nlohmann::json::parse(R"([{"text":"你好","start":9,"end":15}])"));
  EXPECT_NE(outcome.err.find("1 part of the text has characters without a piece in the source "
                             "vocabulary, read byte by byte: '你好' (line 1)"),
            std::string::npos)
      << outcome.err;
}

TEST(UnknownWords, ScoreAndInspectNameThem) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const Outcome score =
      run_regard({"score", "-m", model, "--json"}, {.input = "a wombat\tA Q B\n"});
  ASSERT_EQ(score.code, 0) << score.err;
  const auto object = nlohmann::json::parse(score.out);
  EXPECT_EQ(object.at("unknown"),
            nlohmann::json::parse(R"([{"text":"wombat","start":2,"end":8}])"));
  EXPECT_EQ(object.at("unknown_target"),
            nlohmann::json::parse(R"([{"text":"Q","start":2,"end":3}])"));
  EXPECT_EQ(lines_of(score.err).size(), 2u) << score.err;
  const Outcome inspect =
      run_regard({"inspect", "-m", model, "--json", "--reference", "Q", "a wombat"});
  ASSERT_EQ(inspect.code, 0) << inspect.err;
  EXPECT_EQ(nlohmann::json::parse(inspect.out).at("unknown"), object.at("unknown"));
  EXPECT_EQ(inspect.err,
            "regard: warning: 1 word is not in the source vocabulary, read as <unk>: 'wombat'\n"
            "regard: warning: 1 word is not in the target vocabulary, read as <unk>: 'Q'\n");
}

}  // namespace
}  // namespace regard
