// Translations that begin as asked, and the words that could come next.
#include <cmath>
#include <optional>
#include <set>

#include "regard/base/check.h"
#include "regard/decode/next_words.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::Json;
using testing::post_json;
using testing::SmallModel;

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
  /// The one of that number, from 0; after the last, the end.
  std::string token(const std::string& text, std::size_t number) {
    if (text.empty()) return "</s>";
    return posted("/v1/tokenize", {{"q", text}, {"side", "target"}})
        .at("tokens")
        .at(number)
        .at("text");
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

TEST_F(Alternatives, APrefixIsAsLongAsATranslationAtMost) {
  spec.chars = 1100;
  std::string words;
  for (int i = 0; i < 513; ++i) words += "A ";
  for (const std::string path : {"/v1/translate", "/v1/inspect", "/v1/alternatives"}) {
    EXPECT_EQ(refused(path, Json{{"q", "a b"}, {"prefix", words}}.dump()),
              (std::pair<int, std::string>(400,
                                           "Invalid request: prefix parameter has 513 tokens, at "
                                           "most 512 can be generated")));
    EXPECT_EQ(refused(path, Json{{"q", "a b"}, {"prefix", words + words}}.dump()),
              (std::pair<int, std::string>(
                  400, "Invalid request: request (2055) exceeds text limit (1100)")));
  }
  EXPECT_EQ(translation("a b", words.substr(2)), words.substr(2, 2 * 512 - 1));
}

TEST_F(Alternatives, EachWordCountsAsASearch) {
  std::string text = "a";
  for (int i = 1; i < 26; ++i) text += " a";
  const Json most{{"q", text}, {"count", 8}, {"beam", 9}};
  EXPECT_EQ(posted("/v1/alternatives", most).at("alternatives").size(), 8U);
  EXPECT_EQ(refused("/v1/alternatives", Json{{"q", text}, {"count", 8}, {"beam", 10}}.dump()),
            (std::pair<int, std::string>(
                400,
                "Invalid request: count parameter (8) times beam parameter (10) times tokens "
                "of q (26) exceeds limit (2048)")));
  EXPECT_EQ(posted("/v1/inspect", {{"q", text}, {"beam", 10}}).at("schema"), 1);
}

TEST_F(Alternatives, UnknownWordsOfTheSourceAreNamed) {
  const Json unknown = posted("/v1/alternatives", {{"q", "the  wombat sleeps"}}).at("unknown");
  EXPECT_EQ(unknown, Json::parse(R"([{"text":"wombat","start":5,"end":11}])"));
  EXPECT_EQ(posted("/v1/alternatives", {{"q", "a b"}}).at("unknown"), Json::array());
}

TEST_F(Alternatives, StopWhenNobodyWaits) {
  const LoadedModel model = load_model(models().front());
  int asked = 0, until = 1'000'000;
  const auto words = [&] {
    asked = 0;
    return next_words(model, {.source = "a b", .wanted = [&] { return ++asked <= until; }});
  };
  EXPECT_FALSE(words().empty());
  const int total = asked;
  for (until = 0; until < total; ++until) {
    EXPECT_THROW(words(), Error);
    EXPECT_EQ(asked, until + 1);
  }
}

struct AlternativesOf {
  const char* name;
  std::optional<SmallModel> model;  ///< none: the one that comes with regard
  std::vector<std::string> prefixes;
  bool found = true;  ///< some words at least
};

void PrintTo(const AlternativesOf& what, std::ostream* out) {
  *out << what.name;
}

class EveryAlternative : public Alternatives, public ::testing::WithParamInterface<AlternativesOf> {
 protected:
  void SetUp() override {
    const std::optional<SmallModel>& model = GetParam().model;
    models_ = {model ? write_small_model(folder(), *model) : REGARD_SOURCE_DIR "/models/en-fr"};
  }

  /// How many words there are after a prefix, the end not counted.
  std::size_t check(const std::string& source, const std::string& prefix, std::size_t count) {
    const Json words =
        posted("/v1/alternatives", {{"q", source}, {"prefix", prefix}, {"count", count}})
            .at("alternatives");
    EXPECT_LE(words.size(), count);
    const std::size_t before = length(prefix);
    std::set<std::string> seen, first_tokens;
    double last = 1, sum = 0;
    for (const Json& each : words) {
      const std::string word = each.at("word"), text = each.at("translatedText");
      const std::string with = prefix.empty() || word.empty() ? prefix + word : prefix + " " + word;
      EXPECT_TRUE(seen.insert(word).second) << word;
      EXPECT_EQ(text, word.empty() ? prefix : translation(source, with));
      EXPECT_TRUE((text + " ").starts_with(word.empty() ? text : with + " ")) << text;
      EXPECT_TRUE(first_tokens.insert(token(with, before)).second) << word;
      if (!with.empty()) {  // an empty reference is none
        EXPECT_NEAR(each.at("probability").get<double>(),
                    probability(source, with, before, word.empty() ? before + 1 : length(with)),
                    1e-5);
      }
      EXPECT_LE(each.at("probability"), last);
      sum += last = each.at("probability");
    }
    EXPECT_LE(sum, 1 + 1e-9);
    return seen.size() - seen.count("");
  }
};

TEST_P(EveryAlternative, IsWhatASearchWithItFinds) {
  std::size_t found = 0;
  for (const std::string& prefix : GetParam().prefixes)
    for (const std::size_t count : {1, 4, 10}) found += check("the black cat", prefix, count);
  EXPECT_TRUE(found > 0 || !GetParam().found);
}

const std::vector<std::string> kLetters{"", "H", "A B C", "D D D D D D", "G F E D C B A"};
const std::vector<std::string> kJoined{"", "A", "A, B.", "l'homme", "C! l'homme. A", "A,,. C"};
const std::vector<std::string> kFrench{"", "Le", "Le chat", "Le chat noir."};
const std::vector<std::string> kPieces{"", "the", "the black", "a b c cat", "home sleeps ."};

SmallModel joined(std::uint64_t seed) {
  return {.seed = seed, .joined = true};
}

SmallModel learned(bool joined) {
  return {.position = "learned", .max_length = 8, .joined = joined};
}

INSTANTIATE_TEST_SUITE_P(
    Models, EveryAlternative,
    ::testing::Values(AlternativesOf{"words", SmallModel{}, kLetters},
                      AlternativesOf{"gru", SmallModel{.architecture = "bahdanau"}, kLetters},
                      AlternativesOf{"joined", joined(1), kJoined},
                      AlternativesOf{"joined_2", joined(2), kJoined},
                      AlternativesOf{"joined_3", joined(3), kJoined},
                      AlternativesOf{"learned", learned(false), kLetters},
                      AlternativesOf{"learned_joined", learned(true), kJoined},
                      AlternativesOf{"subwords", std::nullopt, kFrench},
                      // Hardly any pieces that nobody trained make a word.
                      AlternativesOf{"untrained_subwords", SmallModel{.subwords = true}, kPieces,
                                     false}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace regard
