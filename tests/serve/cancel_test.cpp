// What is asked for at length: it stops when nobody waits, and nobody can ask for too much.
#include <fcntl.h>
#include <sys/file.h>

#include <filesystem>
#include <set>
#include <thread>

#include "regard/base/check.h"
#include "regard/serve/text/translate_texts.h"
#include "regard/trace/trace.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::get;
using testing::Json;
using testing::post_json;
using namespace std::chrono_literals;

class Cancel : public testing::ServeTest {
 protected:
  HttpResponse inspect(const Json& body) { return ask(service(), post_json("/v1/inspect", body)); }
};

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "a ";
  return text;
}

// covers SV8, SV17
TEST_F(Cancel, StopsATraceWhereverItIs) {
  const LoadedModel model = load_model(models().front());
  int asked = 0, until = 1'000'000;
  const auto traced = [&] {
    asked = 0;
    return trace_translation(model, "m", "a b c", {.wanted = [&] { return ++asked <= until; }});
  };
  const Trace whole = traced();
  const int total = asked;
  EXPECT_GE(total, 2 * static_cast<int>(whole.steps.size()));  // the search, then its steps
  for (until = 0; until < total; ++until) {
    EXPECT_THROW(traced(), Error);
    EXPECT_EQ(asked, until + 1);
  }
  EXPECT_EQ(traced().target.text, whole.target.text);
}

// covers SV8, SV17
TEST_F(Cancel, StopsPuttingTagsInPlaceAndDoesSoBesideTheEngine) {
  std::mutex mutex;
  std::set<std::thread::id> threads;  // the engine's is the first to ask
  std::atomic<int> elsewhere{0}, done{0};
  TextBatch batch{.tasks = {{"<p>a <b>b</b> c</p><p>d <i>e</i></p>", service().models()->front()}},
                  .html = true,
                  .wanted =
                      [&] {
                        const std::lock_guard lock(mutex);
                        if (threads.empty()) threads.insert(std::this_thread::get_id());
                        if (threads.contains(std::this_thread::get_id())) return true;
                        ++elsewhere;
                        return false;
                      },
                  .done = [&](auto, auto) { ++done; }};
  ASSERT_TRUE(translate_texts(std::move(batch)));
  for (int i = 0; i < 5000 && elsewhere == 0; ++i) std::this_thread::sleep_for(2ms);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(elsewhere, 1);
  EXPECT_EQ(done, 0);
}

TEST_F(Cancel, ShowsEachTranslationOfHtmlOnce) {
  const Json body = body_of(translate({{"q", "<p>a <b>b</b> c</p><p>d</p>"},
                                       {"source", "en"},
                                       {"target", "fr"},
                                       {"format", "html"},
                                       {"alternatives", 5}}));
  std::set<std::string> all{body.at("translatedText").get<std::string>()};
  for (const Json& other : body.at("alternatives")) all.insert(other.get<std::string>());
  EXPECT_EQ(all.size(), body["alternatives"].size() + 1);
  EXPECT_GT(all.size(), 1u);
  for (const std::string& text : all) {
    EXPECT_EQ(text.find("<p>"), 0u) << text;
    EXPECT_NE(text.find("<b>"), text.npos) << text;
  }
}

TEST_F(Cancel, BoundsTheBeamByTheText) {
  spec.beam = 64;  // also where it is not asked for
  EXPECT_EQ(inspect({{"q", words(32)}}).status, 200);
  EXPECT_EQ(inspect({{"q", words(33)}}).status, 400);
  EXPECT_EQ(inspect({{"q", words(256)}, {"beam", 8}, {"attention", Json::array()}}).status, 200);
  EXPECT_EQ(refused("/v1/inspect", Json{{"q", words(256)}, {"beam", 9}}.dump()).second,
            "Invalid request: beam parameter (9) times tokens of q (256) exceeds limit (2048)");
  EXPECT_EQ(inspect({{"q", words(65)}, {"reference", "A B"}}).status, 200);
  EXPECT_EQ(inspect({{"q", "a"}, {"beam", 65}}).status, 400);
}

TEST_F(Cancel, TakesATextAndItsReferenceWhereOneTextIsTheMost) {
  spec.batch = 1;
  EXPECT_EQ(inspect({{"q", "a b"}, {"reference", "A B"}}).status, 200);
  EXPECT_EQ(ask(service(), post_json("/v1/score", {{"q", "a b"}, {"reference", "A B"}})).status,
            200);
  EXPECT_EQ(translate({{"q", {"a", "b"}}, {"source", "en"}, {"target", "fr"}}).status, 400);
}

TEST_F(Cancel, TellsARunInParts) {
  std::string lines;
  for (int i = 0; i < 7000; ++i) lines += "{\"step\":" + std::to_string(i) + "}\n";
  service();
  folder().write("m/metrics.jsonl", lines);
  const auto part = [&](int since) {
    return body_of(ask(service(), get("/v1/runs/m/metrics", "since=" + std::to_string(since))));
  };
  EXPECT_EQ(part(0).at("lines").size(), 5000u);
  EXPECT_EQ(part(0).at("next"), 5000);
  EXPECT_EQ(part(5000).at("lines").size(), 2000u);
  EXPECT_EQ(part(5000)["lines"][0]["step"], 5000);
  EXPECT_EQ(part(7000).at("next"), 7000);
}

TEST_F(Cancel, TellsHowARunStands) {
  service();
  folder().write("m/metrics.jsonl", "{}\n");
  const auto run = [&](const std::string& state) {
    if (!state.empty()) folder().write("m/state.json", R"({"schema":1,"state":")" + state + "\"}");
    return body_of(ask(service(), get("/v1/runs")))["runs"][0];
  };
  EXPECT_EQ(run("")["state"], "unknown");
  EXPECT_EQ(run("finished")["state"], "finished");
  EXPECT_EQ(run("finished")["finished"], true);
  EXPECT_EQ(run("diverged")["state"], "diverged");
  EXPECT_EQ(run("diverged")["finished"], false);
  EXPECT_EQ(run("dreaming")["state"], "unknown");
  EXPECT_EQ(run("running")["state"], "stopped");  // nobody holds the lock
  const int lock = ::open(folder().write("m/lock", "").c_str(), O_RDWR);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(run("running")["state"], "running");
  ::close(lock);
  EXPECT_EQ(run("running")["state"], "stopped");
}

TEST_F(Cancel, IsDescribedAsItIs) {
  const Json paths = body_of(ask(service(), get("/spec"))).at("paths");
  const auto schema = [&](const std::string& path) {
    return paths.at(path)["post"]["requestBody"]["content"]["application/json"]["schema"];
  };
  EXPECT_EQ(schema("/detect")["properties"]["q"]["type"], "string");
  EXPECT_TRUE(schema("/translate")["properties"]["q"].contains("oneOf"));
  EXPECT_EQ(schema("/translate")["required"], (Json{"q", "source", "target"}));
  for (const char* path : {"/v1/inspect", "/v1/tokenize"}) {
    EXPECT_EQ(schema(path)["required"], Json::array({"q"})) << path;
    EXPECT_TRUE(schema(path)["properties"].contains("model")) << path;
  }
  const auto named = [&](const std::string& path) {
    std::set<std::string> names;
    for (const Json& each : paths.at(path)["get"]["parameters"]) names.insert(each.at("name"));
    return names;
  };
  EXPECT_EQ(named("/v1/positional"), (std::set<std::string>{"model", "length"}));
  EXPECT_EQ(named("/v1/runs/{id}/metrics"), (std::set<std::string>{"id", "since"}));
  EXPECT_EQ(named("/v2/languages"), (std::set<std::string>{"type"}));
}

}  // namespace
}  // namespace regard
