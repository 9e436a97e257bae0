// Texts of several sentences, and words that a model does not know, on every route.
#include "regard/tokens/sentences.h"

#include <cmath>

#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::header_of;
using testing::Json;
using testing::post_form;
using testing::post_json;

const std::string kHeader = "X-Regard-Unknown-Words";
const std::string kText = "  the black cat .  a b ?\r\n\r\n\tthe cat sleeps\n...\n";

class SentenceRoutes : public testing::ServeTest {
 protected:
  std::string said(const std::string& text) {
    return body_of(translate({{"q", text}, {"source", "en"}, {"target", "fr"}}))
        .at("translatedText");
  }
  Json posted(const std::string& path, const Json& body) {
    const HttpResponse response = ask(service(), post_json(path, body));
    EXPECT_EQ(response.status, 200) << response.body;
    return body_of(response);
  }
  std::string deepl(const std::string& text, const Json& split) {
    Json body{{"text", {text}}, {"target_lang", "FR"}, {"source_lang", "EN"}};
    if (!split.is_null()) body["split_sentences"] = split;
    return posted("/v2/translate", body).at("translations").at(0).at("text");
  }
};

TEST_F(SentenceRoutes, EachSentenceIsTranslatedAndSpaceStays) {
  EXPECT_EQ(said(kText), "  " + said("the black cat .") + "  " + said("a b ?") + "\r\n\r\n\t" +
                             said("the cat sleeps") + "\n...\n");
  const Json body =
      body_of(translate({{"q", kText}, {"source", "en"}, {"target", "fr"}, {"alternatives", 2}}));
  EXPECT_EQ(body.at("translatedText"), said(kText));
  EXPECT_FALSE(body.at("alternatives").empty());
  for (const std::string other : body.at("alternatives")) EXPECT_NE(other, said(kText));
}

TEST_F(SentenceRoutes, DeepLSaysHowToSplit) {
  EXPECT_EQ(deepl(kText, nullptr), said(kText));
  EXPECT_EQ(deepl(kText, "1"), said(kText));
  EXPECT_EQ(deepl(kText, 1), said(kText));
  const std::string lines = "the black\ncat . a b\n";
  EXPECT_EQ(deepl(lines, "1"), said("the black") + "\n" + said("cat .") + " " + said("a b") + "\n");
  EXPECT_EQ(deepl(lines, "nonewlines"), said("the black cat .") + " " + said("a b") + "\n");
  const Json whole = posted("/v1/inspect", {{"q", "the black cat . a b"}});
  EXPECT_EQ(deepl(lines, "0"), whole.at("translatedText").get<std::string>() + "\n");
  EXPECT_EQ(deepl(" \n ", "0"), " \n ");
  EXPECT_EQ(refused("/v2/translate", R"({"text":["a"],"target_lang":"FR","split_sentences":"2"})"),
            (std::pair<int, std::string>(400, "Value for 'split_sentences' not supported.")));
}

TEST_F(SentenceRoutes, OursTellsOfEachSentence) {
  const Json body = posted("/v1/translate", {{"q", kText}});
  EXPECT_EQ(body.at("translatedText"), said(kText));
  ASSERT_EQ(body.at("sentences").size(), 3u);
  const std::vector<std::string> sources{"the black cat .", "a b ?", "the cat sleeps"};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Json& one = body["sentences"][i];
    const std::size_t start = one.at("start"), end = one.at("end");
    EXPECT_EQ(kText.substr(start, end - start), sources[i]);
    const Json trace = posted("/v1/inspect", {{"q", kText}, {"split", true}, {"sentence", i}});
    EXPECT_EQ(trace.at("translatedText"), one.at("translatedText"));
    EXPECT_EQ(trace.at("source").at("text"), sources[i]);
    EXPECT_EQ(trace.at("sentence"), i);
    EXPECT_EQ(trace.at("sentences").size(), 3u);
    EXPECT_EQ(trace["sentences"][i]["start"], start);
    EXPECT_EQ(trace["sentences"][i]["end"], end);
    EXPECT_NEAR(one.at("score").get<double>(), trace.at("score").get<double>(), 1e-5);
    EXPECT_NEAR(one.at("log_probability").get<double>(), trace.at("log_probability").get<double>(),
                1e-5);
  }
  EXPECT_EQ(posted("/v1/inspect", {{"q", kText}, {"split", "1"}, {"sentence", 99}}).at("sentence"),
            2);
  const Json empty = posted("/v1/inspect", {{"q", "..."}, {"split", "1"}});
  EXPECT_TRUE(empty.at("sentences").empty());
  EXPECT_FALSE(posted("/v1/inspect", {{"q", kText}}).contains("sentences"));
  EXPECT_EQ(refused("/v1/inspect", R"({"q":"a","sentence":1})").first, 400);
  EXPECT_EQ(refused("/v1/inspect", R"({"q":"a","split":"maybe"})").first, 400);
  EXPECT_EQ(refused("/v1/translate", R"({"q":"a","split":"maybe"})").first, 400);
  EXPECT_EQ(refused("/v1/translate", R"({"q":"a","beam":65})").first, 400);
}

TEST_F(SentenceRoutes, OursTellsOfEachWordIfAsked) {
  const Json without = posted("/v1/translate", {{"q", kText}});
  for (const Json& one : without.at("sentences")) EXPECT_FALSE(one.contains("words"));
  const Json body = posted("/v1/translate", {{"q", kText}, {"words", true}});
  for (std::size_t i = 0; i < 3; ++i) {
    const Json target =
        posted("/v1/inspect", {{"q", kText}, {"split", true}, {"sentence", i}}).at("target");
    const Json& words = body.at("sentences").at(i).at("words");
    ASSERT_EQ(words.size(), target.at("words").size());
    for (std::size_t word = 0; word < words.size(); ++word) {
      double log = 0;
      for (const Json& token : target.at("tokens"))
        if (token.at("word") == word) log += token.at("logprob").get<double>();
      EXPECT_EQ(words[word].at("text"), target["words"][word]);
      EXPECT_NEAR(words[word].at("probability").get<double>(), std::exp(log), 1e-5);
    }
  }
}

TEST_F(SentenceRoutes, LimitsStay) {
  const std::string large(5001, 'a');
  for (const char* path : {"/v1/translate", "/v1/inspect"})
    EXPECT_EQ(refused(path, Json{{"q", large}}.dump()).second,
              "Invalid request: request (5001) exceeds text limit (5000)");
  std::string words;
  for (int i = 0; i < 600; ++i) words += i % 10 == 9 ? "b . " : "a ";
  EXPECT_EQ(refused("/v1/translate", Json{{"q", words}, {"beam", 5}}.dump()).first, 400);
  EXPECT_EQ(posted("/v1/translate", {{"q", words}, {"beam", 4}}).at("sentences").size(), 60u);
}

TEST_F(SentenceRoutes, UnknownWordsAreTold) {
  const std::string text = " a wombat  b .\nthe e\u0301te\u0301 , wombat";
  for (const Json& body :
       {posted("/v1/translate", {{"q", text}}), posted("/v1/inspect", {{"q", text}}),
        posted("/v1/tokenize", {{"q", text}}),
        posted("/v1/score", {{"q", text}, {"reference", "A"}})}) {
    std::vector<std::string> found;
    for (const Json& each : body.at("unknown")) {
      const std::size_t start = each.at("start"), end = each.at("end");
      found.push_back(each.at("text"));
      EXPECT_EQ(text.substr(start, end - start), each.at("text"));
    }
    EXPECT_EQ(found, (std::vector<std::string>{"wombat", "e\u0301te\u0301", ",", "wombat"}));
  }
  const Json part = posted("/v1/inspect", {{"q", text}, {"split", "1"}, {"sentence", 1}});
  EXPECT_EQ(part.at("unknown").size(), 3u);
  EXPECT_EQ(part["unknown"][2]["start"], text.rfind("wombat"));
  EXPECT_EQ(posted("/v1/score", {{"q", "a"}, {"reference", "A Q"}}).at("unknown_target"),
            Json::parse(R"([{"text":"Q","start":2,"end":3}])"));
  EXPECT_TRUE(posted("/v1/translate", {{"q", "a b"}}).at("unknown").empty());
}

TEST_F(SentenceRoutes, CompatibleRoutesNameThemInAHeader) {
  const HttpResponse response = translate(
      {{"q", {"a wombat", "wombat \u00e9t\u00e9, b", "a"}}, {"source", "en"}, {"target", "fr"}});
  EXPECT_EQ(header_of(response, kHeader), "wombat,%C3%A9t%C3%A9,%2C");
  EXPECT_EQ(
      header_of(ask(service(), post_form("/v2/translate", "text=wombat&target_lang=FR")), kHeader),
      "wombat");
  EXPECT_EQ(header_of(translate({{"q", "<p>wombat <b>a</b></p>"},
                                 {"source", "en"},
                                 {"target", "fr"},
                                 {"format", "html"}}),
                      kHeader),
            "wombat");
  EXPECT_EQ(header_of(translate({{"q", "a b"}, {"source", "en"}, {"target", "fr"}}), kHeader), "");
  std::string many;
  for (int i = 0; i < 400; ++i) many += "w" + std::to_string(i) + "\u20ac ";
  const std::string header =
      header_of(translate({{"q", many}, {"source", "en"}, {"target", "fr"}}), kHeader);
  EXPECT_LE(header.size(), 1004u);
  EXPECT_TRUE(header.ends_with(",...")) << header;
  const std::string one(4000, 'x');
  EXPECT_EQ(header_of(translate({{"q", one}, {"source", "en"}, {"target", "fr"}}), kHeader),
            std::string(64, 'x'));
}

}  // namespace
}  // namespace regard
