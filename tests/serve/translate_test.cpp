// POST /translate in the words of LibreTranslate.
#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::Json;
using testing::post_form;

class TranslateRoute : public testing::ServeTest {
 protected:
  /// What the library says of a line.
  std::string expected(const std::string& line) {
    if (!model_) model_ = std::make_unique<LoadedModel>(load_model(models().front()));
    const LineSource source = line_source(model_->info, line);
    std::vector<std::vector<std::int32_t>> pieces;
    for (std::size_t i = 0; i < source.pieces(); ++i) pieces.push_back(source.ids(i));
    const auto best = regard::translate(*model_->model, pieces, {.max_length = 512});
    return joined_line(*model_, source, best).front().text;
  }

 private:
  std::unique_ptr<LoadedModel> model_;
};

TEST_F(TranslateRoute, SaysWhatTheLibrarySays) {
  const HttpResponse response =
      translate({{"q", "the black cat ."}, {"source", "en"}, {"target", "fr"}});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(body_of(response), (Json{{"translatedText", expected("the black cat .")}}));
}

TEST_F(TranslateRoute, TakesFormsAndParts) {
  const std::string text =
      body_of(ask(service(), post_form("/translate", "q=the+black%20cat&source=en&target=FR")))
          .at("translatedText");
  EXPECT_EQ(text, expected("the black cat"));
  const std::string parts =
      "--x\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\nthe black cat\r\n"
      "--x\r\nContent-Disposition: form-data; name=source\r\n\r\nen\r\n"
      "--x\r\nContent-Disposition: form-data; name=\"target\"\r\n\r\nfr\r\n--x--\r\n";
  const HttpResponse response =
      ask(service(), testing::post("/translate", "multipart/form-data; boundary=x", parts));
  EXPECT_EQ(body_of(response).at("translatedText"), text);
}

TEST_F(TranslateRoute, GivesAListForAListAndOneForOne) {
  const Json body = body_of(translate({{"q", {"a b", "", "c d"}},
                                       {"source", "auto"},
                                       {"target", "fr"},
                                       {"alternatives", 2},
                                       {"unknown", {1, 2}},
                                       {"api_key", nullptr}}));
  ASSERT_EQ(body.at("translatedText").size(), 3u);
  EXPECT_EQ(body["translatedText"][0], expected("a b"));
  EXPECT_EQ(body["translatedText"][1], "");
  ASSERT_EQ(body.at("detectedLanguage").size(), 3u);
  EXPECT_EQ(body["detectedLanguage"][0]["language"], "en");
  ASSERT_EQ(body.at("alternatives").size(), 3u);
  EXPECT_LE(body["alternatives"][0].size(), 2u);
  for (const Json& other : body["alternatives"][0]) EXPECT_NE(other, body["translatedText"][0]);
}

// covers SV10
TEST_F(TranslateRoute, KeepsLineBreaksAndSpaceAndWhatHasNoWord) {
  const auto said = [&](const std::string& text) {
    return body_of(translate({{"q", text}, {"source", "en"}, {"target", "fr"}}))
        .at("translatedText")
        .get<std::string>();
  };
  for (const std::string text :
       {" ", "\n\n", "\xF0\x9F\x98\x80 \xE2\x9D\xA4\xEF\xB8\x8F", "...", " \t\r\n \xC2\xA0"})
    EXPECT_EQ(said(text), text);
  EXPECT_EQ(said("  a b \r\n\r\n\n\xF0\x9F\x98\x80\nc d\n"),
            "  " + expected("a b") + " \r\n\r\n\n\xF0\x9F\x98\x80\n" + expected("c d") + "\n");
}

TEST_F(TranslateRoute, LeavesATextInItsOwnLanguage) {
  EXPECT_EQ(body_of(translate({{"q", "the cat"}, {"source", "en"}, {"target", "en"}})),
            (Json{{"translatedText", "the cat"}}));
}

TEST_F(TranslateRoute, CutsLongTextsAsTheCommandDoes) {
  spec.chars = 100000;
  std::string line;
  for (int i = 0; i < 300; ++i) line += i % 9 == 8 ? "c " : "a ";
  line += "b";
  const Json body = body_of(translate({{"q", line}, {"source", "en"}, {"target", "fr"}}));
  EXPECT_EQ(body.at("translatedText"), expected(line));
}

// covers SV10, SV11, SV12
TEST_F(TranslateRoute, RefusesInTheKnownWords) {
  using Pair = std::pair<int, std::string>;
  const auto with = [](const std::string& more) {
    return R"({"q":"a","source":"en","target":"fr")" + more + "}";
  };
  const std::string path = "/translate";
  EXPECT_EQ(refused(path, R"({"source":"en","target":"fr"})"),
            Pair(400, "Invalid request: missing q parameter"));
  EXPECT_EQ(refused(path, R"({"q":"","source":"en","target":"fr"})"),
            Pair(400, "Invalid request: missing q parameter"));
  EXPECT_EQ(refused(path, R"({"q":[],"source":"en","target":"fr"})"),
            Pair(400, "Invalid request: missing q parameter"));
  EXPECT_EQ(refused(path, R"({"q":"a","target":"fr"})"),
            Pair(400, "Invalid request: missing source parameter"));
  EXPECT_EQ(refused(path, R"({"q":"a","source":"en"})"),
            Pair(400, "Invalid request: missing target parameter"));
  EXPECT_EQ(refused(path, R"({"q":"a","source":"zz","target":"fr"})"),
            Pair(400, "zz is not supported"));
  EXPECT_EQ(refused(path, R"({"q":"a","source":"fr","target":"en"})"),
            Pair(400, "English (en) is not available as a target language from French (fr)"));
  EXPECT_EQ(refused(path, with(R"(,"format":"xml")")), Pair(400, "xml format is not supported"));
  EXPECT_EQ(refused(path, with(R"(,"alternatives":"x")")),
            Pair(400, "Invalid request: alternatives parameter is not a number"));
  EXPECT_EQ(refused(path, with(R"(,"alternatives":6)")),
            Pair(400, "Invalid request: alternatives parameter must be <= 5"));
  for (const char* bad : {"-1", "1.5", "1000000000", "9223372036854775808", "null1", "[]1"})
    EXPECT_EQ(refused(path, with(std::string(R"(,"alternatives":)") + bad)).first, 400) << bad;
  EXPECT_EQ(
      refused(path, Json{{"q", std::string(5001, 'a')}, {"source", "en"}, {"target", "fr"}}.dump()),
      Pair(400, "Invalid request: request (5001) exceeds text limit (5000)"));
  EXPECT_EQ(
      refused(path,
              Json{{"q", std::vector<std::string>(65, "a")}, {"source", "en"}, {"target", "fr"}}
                  .dump()),
      Pair(400, "Invalid request: request (65) exceeds text limit (64)"));
}

// covers SV9
TEST_F(TranslateRoute, RefusesBadJsonAndNamesTheField) {
  const std::string deep(100000, '[');
  for (const std::string& bad : std::vector<std::string>{
           "[]", "null", "\"x\"", "{", "{\"q\":1,}", "{\"q\":NaN}", "{\"q\":1e400}",
           "{\"q\":\"\\ud800\"}", "{\"q\":\"\xFF\"}", "\xEF\xBB\xBF{}", "{\"q\":1,\"q\":2}",
           "{\"q\":" + deep, "{} x", std::string("{\"q\":\"a\0\"}", 11)}) {
    const auto [status, text] = refused("/translate", bad);
    EXPECT_EQ(status, 400) << bad.substr(0, 40);
    EXPECT_TRUE(text.starts_with("Invalid JSON format")) << text;
  }
  for (const char* value :
       {"1", "true", "{}", "[1]", "[\"a\",null]", "[[\"a\"]]", "\"a\\u0000\""}) {
    const auto [status, text] =
        refused("/translate", std::string(R"({"source":"en","target":"fr","q":)") + value + "}");
    EXPECT_EQ(status, 400);
    EXPECT_NE(text.find("q parameter"), text.npos) << text;
  }
  std::string many = "{";
  for (int i = 0; i < 50000; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(refused("/translate", many + "\"z\":0}").second,
            "Invalid request: missing q parameter");
}

}  // namespace
}  // namespace regard
