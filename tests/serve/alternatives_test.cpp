// Translations that begin as asked, and the words that could come next.
#include <cmath>
#include <set>

#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::Json;
using testing::post_json;

class Alternatives : public testing::ServeTest {
 protected:
  Json posted(const std::string& path, const Json& body) {
    const HttpResponse response = ask(service(), post_json(path, body));
    EXPECT_EQ(response.status, 200) << response.body;
    return body_of(response);
  }
  std::string translation(const std::string& text, const std::string& prefix) {
    return posted("/v1/translate", {{"q", text}, {"prefix", prefix}}).at("translatedText");
  }
  /// p of the tokens of `text` from the given one on, up to `end`, read at once.
  double probability(const std::string& source, const std::string& text, std::size_t begin,
                     std::size_t end) {
    const Json trace = posted("/v1/inspect", {{"q", source}, {"reference", text}});
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += trace.at("target").at("tokens").at(i).at("logprob").get<double>();
    return std::exp(sum);
  }
  /// In tokens; the route counts the end too.
  std::size_t length(const std::string& text) {
    if (text.empty()) return 0;
    return posted("/v1/tokenize", {{"q", text}, {"side", "target"}}).at("tokens").size() - 1;
  }
};

TEST_F(Alternatives, ATranslationBeginsWithThePrefix) {
  const std::string free = translation("a b c", "");
  EXPECT_EQ(free, body_of(translate({{"q", "a b c"}, {"source", "en"}, {"target", "fr"}}))
                      .at("translatedText"));
  for (const std::string prefix : {"H", "G F E", "D D D D"}) {
    const std::string forced = translation("a b c", prefix);
    EXPECT_TRUE(forced.starts_with(prefix)) << forced;
    const Json trace = posted("/v1/inspect", {{"q", "a b c"}, {"prefix", prefix}});
    EXPECT_EQ(trace.at("translatedText"), forced);
  }
  const std::string two = translation("a b . c d", "H H");
  EXPECT_EQ(two, translation("a b .", "H H") + " " + translation("c d", ""));
  for (const int number : {1, 7})  // past the last: the last
    EXPECT_EQ(posted("/v1/translate", {{"q", "a b . c d"}, {"prefix", "H H"}, {"sentence", number}})
                  .at("translatedText"),
              translation("a b .", "") + " " + translation("c d", "H H"));
}

TEST_F(Alternatives, APrefixThatCannotBeGeneratedIsRefused) {
  for (const char* path : {"/v1/translate", "/v1/inspect", "/v1/alternatives"})
    EXPECT_EQ(refused(path, R"({"q":"a b","prefix":"A wombat"})"),
              (std::pair<int, std::string>(
                  400, "Invalid request: prefix: the model does not know the word 'wombat'")));
  EXPECT_EQ(refused("/v1/inspect", R"({"q":"a","prefix":"A","reference":"A B"})").first, 400);
  EXPECT_EQ(refused("/v1/alternatives", R"({"q":"a","count":0})").first, 400);
  EXPECT_EQ(refused("/v1/alternatives", R"({"q":"a","count":11})").first, 400);
  EXPECT_EQ(refused("/v1/alternatives", R"({"prefix":"A"})").first, 400);
}

class EveryAlternative : public Alternatives,
                         public ::testing::WithParamInterface<std::tuple<const char*, bool>> {
 protected:
  void SetUp() override {
    const auto [architecture, subwords] = GetParam();
    models_ = {write_small_model(folder(), {.architecture = architecture, .subwords = subwords})};
  }
};

TEST_P(EveryAlternative, IsWhatASearchWithItFinds) {
  const std::string source = "the black cat";
  const std::string whole = translation(source, "");
  std::size_t tried = 0;
  for (std::size_t end = 0; end != std::string::npos; end = whole.find(' ', end + 1)) {
    const std::string prefix = whole.substr(0, end);
    const Json words = posted("/v1/alternatives", {{"q", source}, {"prefix", prefix}, {"count", 4}})
                           .at("alternatives");
    EXPECT_LE(words.size(), 4U);
    std::set<std::string> seen;
    double last = 1, sum = 0;
    for (const Json& each : words) {
      const std::string word = each.at("word"), text = each.at("translatedText");
      const std::string with = prefix.empty() || word.empty() ? prefix + word : prefix + " " + word;
      const std::size_t before = length(prefix), after = word.empty() ? before + 1 : length(with);
      EXPECT_TRUE(seen.insert(word).second) << word;
      EXPECT_EQ(text, word.empty() ? prefix : translation(source, with));
      EXPECT_NEAR(each.at("probability").get<double>(),
                  probability(source, word.empty() ? prefix : with, before, after), 1e-5);
      EXPECT_LE(each.at("probability"), last);
      sum += last = each.at("probability");
      ++tried;
    }
    EXPECT_LE(sum, 1 + 1e-9);
  }
  EXPECT_GT(tried, 0U);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryAlternative,
                         ::testing::Combine(::testing::Values("transformer", "bahdanau"),
                                            ::testing::Bool()));

}  // namespace
}  // namespace regard
