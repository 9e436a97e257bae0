// The other routes: what clients of LibreTranslate and DeepL expect, and our own.
#include "regard/serve/route.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::get;
using testing::header_of;
using testing::Json;
using testing::post_form;
using testing::post_json;

class Routes : public testing::ServeTest {
 protected:
  Json got(const std::string& path, const std::string& query = "") {
    const HttpResponse response = ask(service(), get(path, query));
    EXPECT_EQ(response.status, 200) << response.body;
    return body_of(response);
  }
  Json posted(const std::string& path, const Json& body) {
    const HttpResponse response = ask(service(), post_json(path, body));
    EXPECT_EQ(response.status, 200) << response.body;
    return body_of(response);
  }
};

TEST_F(Routes, TellLanguagesHealthAndSettings) {
  EXPECT_EQ(got("/languages"), Json::parse(R"([{"code":"en","name":"English","targets":["en","fr"]},
                            {"code":"fr","name":"French","targets":["fr"]}])"));
  EXPECT_EQ(got("/health"), (Json{{"status", "ok"}}));
  const Json settings = got("/frontend/settings");
  EXPECT_EQ(settings["charLimit"], 5000);
  EXPECT_EQ(settings["language"]["target"]["code"], "fr");
  EXPECT_EQ(got("/spec")["info"]["title"], "LibreTranslate");
}

TEST_F(Routes, DescribeEveryOneOfThemselves) {
  const Json paths = got("/spec")["paths"];
  for (const Route* route : all_routes()) {
    if (route->path == "/spec" || route->path == "/suggest" ||
        route->path.find("file") != std::string_view::npos)
      continue;
    EXPECT_TRUE(paths.contains(std::string(route->path))) << route->path;
  }
}

TEST_F(Routes, IgnoreABodyWhereNoneIsAsked) {
  HttpRequest request = get("/languages");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = "{not json";
  EXPECT_EQ(ask(service(), request).status, 200);
}

TEST_F(Routes, RefuseFilesAndSuggestions) {
  const auto refused_with = [&](const HttpRequest& request) {
    const HttpResponse response = ask(service(), request);
    EXPECT_EQ(response.status, 403);
    return body_of(response).at("error").get<std::string>();
  };
  EXPECT_EQ(refused_with(post_form("/translate_file", "")),
            "Files translation are disabled on this server.");
  EXPECT_EQ(refused_with(get("/download_file/x")),
            "Files translation are disabled on this server.");
  EXPECT_EQ(refused_with(post_form("/suggest", "q=a")), "Suggestions are disabled on this server.");
}

// covers SV13
TEST_F(Routes, SayWhichMethodAndTypeTheyTake) {
  const auto [status, allow] = [&] {
    const HttpResponse response = ask(service(), get("/translate"));
    return std::pair(response.status, header_of(response, "Allow"));
  }();
  EXPECT_EQ(status, 405);
  EXPECT_EQ(allow, "POST, OPTIONS");
  for (const char* method : {"TRACE", "CONNECT", "PUT", "DELETE", "POST"}) {
    HttpRequest request = get("/languages");
    request.method = method;
    EXPECT_EQ(ask(service(), request).status, 405) << method;
    EXPECT_EQ(header_of(ask(service(), request), "Allow"), "GET, HEAD, OPTIONS");
  }
  EXPECT_EQ(ask(service(), get("/nothing")).status, 404);
  EXPECT_EQ(ask(service(), get("/v1/runs//metrics")).status, 404);
  EXPECT_EQ(ask(service(), get("/v1/runs/a/b/metrics")).status, 404);
  for (const char* type : {"text/plain", "", "application/xml"})
    EXPECT_EQ(ask(service(), testing::post("/translate", type, "q=a")).status, 415) << type;
}

// covers SV5, SV22
TEST_F(Routes, NeverPutWhatIsAskedIntoAHeader) {
  const HttpResponse response = ask(
      service(),
      post_json("/translate", {{"q", "a"}, {"source", "x\r\nSet-Cookie: y"}, {"target", "fr"}}));
  EXPECT_EQ(response.status, 400);
  for (const auto& [name, value] : response.headers)
    EXPECT_EQ((name + value).find("Cookie"), std::string::npos);
  EXPECT_EQ(response.type, "application/json");
}

// covers SV25
TEST_F(Routes, BoundPartsOfAForm) {
  const auto status = [&](const std::string& body, const std::string& boundary = "x") {
    return ask(service(),
               testing::post("/translate", "multipart/form-data; boundary=" + boundary, body))
        .status;
  };
  const std::string part =
      "--x\r\nContent-Disposition: form-data; name=\"q\"; filename=\"../../e\"\r\n\r\na\r\n";
  std::string many;
  for (int i = 0; i < 10000; ++i) many += part;
  EXPECT_EQ(status(many + "--x--"), 400);
  for (const std::string& bad :
       {std::string("--x"), std::string("--x\r\n"), part, std::string("a"), part + "--x",
        std::string("--x\r\n\r\na\r\n--x--"), "--x\r\n" + std::string(100000, 'h')})
    EXPECT_EQ(status(bad), 400) << bad.substr(0, 30);
  EXPECT_EQ(status(part + "--x--", ""), 400);
  EXPECT_EQ(status(part + "--x--", std::string(1000, 'b')), 400);
  EXPECT_EQ(ask(service(), post_form("/translate", "q=%zz")).status, 400);
  EXPECT_EQ(ask(service(), post_form("/translate", "q=%ff")).status, 400);
}

TEST_F(Routes, SpeakAsDeepL) {
  const Json one =
      body_of(ask(service(), post_form("/v2/translate",
                                       "show_billed_characters=1&text=a+b&text=c&target_lang=FR")));
  ASSERT_EQ(one.at("translations").size(), 2u);
  EXPECT_EQ(one["translations"][0]["detected_source_language"], "EN");
  EXPECT_EQ(one["translations"][0]["billed_characters"], 3);
  const Json two = posted("/v2/translate",
                          {{"text", {"a b", "c"}}, {"target_lang", "FR"}, {"source_lang", "EN"}});
  EXPECT_EQ(two["translations"][1]["text"], one["translations"][1]["text"]);
  EXPECT_EQ(two["translations"][0]["text"],
            posted("/translate", {{"q", "a b"}, {"source", "en"}, {"target", "fr"}})
                .at("translatedText"));
  EXPECT_EQ(got("/v2/languages", "type=target"),
            Json::parse(R"([{"language":"FR","name":"French","supports_formality":false}])"));
  EXPECT_EQ(got("/v2/languages"), Json::parse(R"([{"language":"EN","name":"English"}])"));
  EXPECT_GT(got("/v2/usage")["character_count"], 0);
  EXPECT_EQ(refused("/v2/translate", R"({"text":["a"],"target_lang":"ZZ"})").second,
            "Value for 'target_lang' not supported.");
  EXPECT_EQ(refused("/v2/translate", R"({"target_lang":"FR"})").first, 400);
}

TEST_F(Routes, InspectATranslation) {
  const Json plain = posted("/translate", {{"q", "a b c"}, {"source", "en"}, {"target", "fr"}});
  const Json trace = posted("/v1/inspect", {{"q", "a b c"}, {"attention", {"cross"}}});
  EXPECT_EQ(trace.at("format"), "regard-trace");
  EXPECT_EQ(trace.at("translatedText"), plain.at("translatedText"));
  ASSERT_EQ(trace.at("attention").size(), 4u);
  EXPECT_EQ(trace["attention"][0]["kind"], "cross");
  EXPECT_EQ(trace["attention"][0]["dtype"], "u8");
  EXPECT_TRUE(
      posted("/v1/inspect", {{"q", "a"}, {"attention", Json::array()}})["attention"].empty());
  const Json forced = posted("/v1/inspect", {{"q", "a b"},
                                             {"reference", "A B C"},
                                             {"encoding", "float"},
                                             {"layers", {0}},
                                             {"heads", {1}},
                                             {"source", "en"},
                                             {"target", "fr"}});
  EXPECT_EQ(forced["target"]["tokens"].size(), 4u);
  EXPECT_EQ(forced["attention"].size(), 3u);
  EXPECT_EQ(forced["attention"][0]["dtype"], "f32");
  for (const char* bad : {R"({"q":"a","beam":0})", R"({"q":"a","beam":1000000000})",
                          R"({"q":"a","layers":[9]})", R"({"q":"a","attention":["all"]})",
                          R"({"q":"a","encoding":"f16"})", R"({"q":"a","top":-1})",
                          R"({"q":"a","length_penalty":1e9})", R"({"q":"a","target":"zz"})", "{}"})
    EXPECT_EQ(refused("/v1/inspect", bad).first, 400) << bad;
  spec.chars = 5000;
  std::string long_text;
  for (int i = 0; i < 300; ++i) long_text += "a ";
  EXPECT_EQ(refused("/v1/inspect", Json{{"q", long_text}}.dump()).first, 400);
}

TEST_F(Routes, ScoreAndTokenize) {
  const Json score = posted("/v1/score", {{"q", "a b"}, {"reference", "A B"}});
  ASSERT_EQ(score.at("tokens").size(), 3u);
  double sum = 0;
  for (const Json& token : score["tokens"]) sum += token.at("logprob").get<double>();
  EXPECT_NEAR(score.at("log_probability").get<double>(), sum, 1e-9);
  EXPECT_EQ(score["tokens"][2]["text"], "</s>");
  const Json forced = posted("/v1/inspect", {{"q", "a b"}, {"reference", "A B"}});
  EXPECT_NEAR(forced["log_probability"].get<double>(), sum, 1e-4);
  const Json tokens = posted("/v1/tokenize", {{"q", "the cat"}, {"target", "fr"}});
  EXPECT_EQ(tokens["tokens"][1]["text"], "cat");
  EXPECT_EQ(refused("/v1/tokenize", R"({"q":"a","side":"left"})").first, 400);
}

TEST_F(Routes, CountHowLongRequestsTake) {
  got("/languages");
  translate({{"q", "a b"}, {"source", "en"}, {"target", "fr"}});
  const std::string text = ask(service(), get("/metrics")).body;
  for (const char* line : {
           "# TYPE regard_request_duration_seconds histogram\n",
           "regard_request_duration_seconds_bucket{route=\"/languages\",le=\"0.005\"} ",
           "regard_request_duration_seconds_bucket{route=\"/languages\",le=\"+Inf\"} 1\n",
           "regard_request_duration_seconds_count{route=\"/languages\"} 1\n",
           "regard_request_duration_seconds_sum{route=\"/translate\"} ",
           "# TYPE regard_queue_duration_seconds histogram\n",
           "regard_queue_duration_seconds_count{model=\"m\"} 1\n",
       })
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST_F(Routes, NameTheLanguagesOfAModelThatDoesNot) {
  models();
  Json info = Json::parse(folder().read("m/config.json"));
  info["from"] = "";
  folder().write("m/config.json", info.dump());
  spec.from = "de";
  spec.to = "xx";  // the folder names this one
  const Json languages = Json::parse(ask(service(), get("/languages")).body);
  ASSERT_EQ(languages.size(), 2u) << languages;
  EXPECT_EQ(languages[0]["code"], "de");
  EXPECT_EQ(languages[1]["code"], "fr");
}

TEST_F(Routes, LeaveOutAModelWhoseLanguagesNobodyNames) {
  models();
  Json info = Json::parse(folder().read("m/config.json"));
  info["from"] = info["to"] = "";
  folder().write("m/config.json", info.dump());
  EXPECT_EQ(Json::parse(ask(service(), get("/languages")).body), Json::array());
}

TEST_F(Routes, TellOfModelsPositionsAndRuns) {
  const Json about = got("/v1/model");
  ASSERT_EQ(about.at("models").size(), 1u);
  EXPECT_EQ(about["models"][0]["name"], "m");
  EXPECT_EQ(about["models"][0]["hash"].get<std::string>().size(), 16u);
  EXPECT_EQ(about["limits"], (Json{{"chars", 5000}, {"batch", 64}, {"beam", 64}, {"work", 2048}}));
  const Json positions = got("/v1/positional", "model=m&length=7");
  EXPECT_EQ(positions["rows"], 7);
  EXPECT_EQ(positions["cols"], 16);
  EXPECT_EQ(ask(service(), get("/v1/positional", "model=x")).status, 404);
  EXPECT_EQ(ask(service(), get("/v1/positional", "length=0")).status, 400);
  const Json weight = got("/v1/weights", "model=m&parameter=decoder.embed.table&size=5");
  EXPECT_EQ(weight["rows"], 5);
  EXPECT_EQ(weight["cols"], 5);
  EXPECT_EQ(weight["shape"][1], 16);
  EXPECT_EQ(weight["data"].get<std::string>().size(), 36u);  // base64 of 25 bytes
  EXPECT_EQ(ask(service(), get("/v1/weights", "parameter=nothing")).status, 404);
  EXPECT_EQ(ask(service(), get("/v1/weights")).status, 400);
  EXPECT_EQ(ask(service(), get("/v1/weights", "parameter=decoder.embed.table&size=0")).status, 400);
  const Json heads = got("/v1/heads", "model=m");
  EXPECT_EQ(heads, got("/v1/heads"));
  EXPECT_GT(heads["sentences"], 0);
  EXPECT_FALSE(heads["heads"].empty());
  EXPECT_EQ(ask(service(), get("/v1/heads", "model=x")).status, 404);
  EXPECT_TRUE(got("/v1/runs")["runs"].empty());
  folder().write("m/metrics.jsonl", "{\"type\":\"train\",\"step\":1}\n{\"step\":2}\n{\"cut");
  EXPECT_EQ(got("/v1/runs")["runs"],
            Json::parse(
                R"([{"id":"m","state":"unknown","finished":false,"total_steps":null,"lines":2}])"));
  folder().write("m/state.json", R"({"schema":1,"state":"finished","total_steps":5850})");
  EXPECT_EQ(got("/v1/runs")["runs"][0]["total_steps"], 5850);
  const Json lines = got("/v1/runs/m/metrics", "since=1");
  EXPECT_EQ(lines["lines"], Json::parse(R"([{"step":2}])"));
  EXPECT_EQ(lines["next"], 2);
  EXPECT_EQ(ask(service(), get("/v1/runs/x/metrics")).status, 404);
  EXPECT_EQ(ask(service(), get("/v1/runs/m/metrics", "since=-1")).status, 400);
}

TEST_F(Routes, CountForPrometheus) {
  posted("/translate", {{"q", "a b"}, {"source", "en"}, {"target", "fr"}});
  const HttpResponse response = ask(service(), get("/metrics"));
  EXPECT_TRUE(response.type.starts_with("text/plain"));
  EXPECT_NE(response.body.find("regard_requests_total{route=\"/translate\",status=\"200\"} 1\n"),
            std::string::npos)
      << response.body;
  EXPECT_NE(response.body.find("regard_characters_total 3\n"), std::string::npos);
}

TEST_F(Routes, ServeThePage) {
  const HttpResponse page = ask(service(), get("/"));
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(page.type.starts_with("text/html"));
  EXPECT_EQ(ask(service(), get("/page/../CMakeLists.txt")).status, 404);
}

}  // namespace
}  // namespace regard
