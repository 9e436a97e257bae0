// Who has the key: what it opens, where it may stand, and who asks too often.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>

#include "regard/base/base64.h"
#include "regard/image/png_writer.h"
#include "regard/serve/guard/client.h"
#include "regard/serve/route.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::get;
using testing::header_of;
using testing::Json;
using testing::post;
using testing::post_form;
using testing::post_json;

using namespace std::string_literals;

constexpr const char* kKey = "clé de 24 caractères !";

class Keys : public testing::ServeTest {
 protected:
  Keys() {
    spec.key_file = folder().write("keys", std::string(kKey) + "\nsecret-two\n");
    log = [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      logged_ += std::string(line) + "\n";
    };
  }

  static HttpRequest with(HttpRequest request, const std::string& name, const std::string& value) {
    request.headers.emplace_back(name, value);
    return request;
  }
  int status(const HttpRequest& request) { return ask(service(), request).status; }
  std::string logged() {
    const std::lock_guard lock(mutex_);
    return logged_;
  }

  const Json kAsked{{"q", "a"}, {"source", "en"}, {"target", "fr"}};

 private:
  std::mutex mutex_;
  std::string logged_;
};

/// A request of a route that is whole but for its key.
HttpRequest whole_request(const Route& route) {
  std::string path(route.path);
  if (const std::size_t hole = path.find("{id}"); hole != path.npos) path.replace(hole, 4, "m");
  if (path == "/v1/weights") return get(path, "parameter=decoder.embed.table");
  if (route.method == "GET") return get(path);
  return post_json(path, {{"q", "a"},
                          {"text", {"a"}},
                          {"source", "en"},
                          {"target", "fr"},
                          {"target_lang", "FR"},
                          {"reference", "A"},
                          {"image", base64(png_bytes(1, 1, std::array<std::uint8_t, 3>{}))}});
}

// covers SV14
TEST_F(Keys, OpenEveryRouteButThoseThatTellOfTheService) {
  models_ = {testing::write_small_model(folder()),
             testing::write_small_model(folder(), {.architecture = "caption"}, "pictures")};
  const std::vector<std::string_view> open{"/health", "/languages",    "/frontend/settings",
                                           "/spec",   "/v2/languages", "/v1/model"};
  const std::vector<std::string_view> shut{"/translate_file", "/download_file/{id}", "/suggest"};
  for (const Route* route : all_routes()) {
    const HttpRequest request = whole_request(*route);
    if (std::ranges::find(shut, route->path) != shut.end()) continue;
    EXPECT_EQ(status(with(request, "Authorization", std::string("Bearer ") + kKey)), 200)
        << route->path;
    const bool free = std::ranges::find(open, route->path) != open.end();
    EXPECT_EQ(status(request) == 200, free) << route->path;
    EXPECT_EQ(status(with(request, "Authorization", "Bearer wrong")) == 200, free) << route->path;
    HttpRequest address = request;
    address.query = "api_key=secret-two&auth_key=secret-two";
    EXPECT_EQ(status(address) == 200, free) << route->path;
  }
}

// covers SV14: missing, wrong, prefix of right, 1 MB, non-ASCII, in URL, in JSON
TEST_F(Keys, AreTheWholeKeyInItsPlace) {
  const auto in_json = [&](const Json& key) {
    Json body = kAsked;
    body["api_key"] = key;
    return status(post_json("/translate", body));
  };
  const auto in_header = [&](const std::string& value) {
    return status(with(post_json("/translate", kAsked), "Authorization", value));
  };
  const std::string key = kKey;
  EXPECT_EQ(status(post_json("/translate", kAsked)), 400);
  for (const std::string& wrong :
       {std::string("x"), key.substr(0, 5), key.substr(0, key.size() - 1), key + "x", " " + key,
        key + " ", key + "\n", key + "\nsecret-two", "cle de 24 caracteres !"s, "secret-TWO"s,
        std::string(1 << 20, 's'), std::string("secret-two") + std::string(1 << 20, 's')})
    EXPECT_EQ(in_json(wrong), 403) << wrong.substr(0, 40);
  for (const Json& other : {Json(nullptr), Json("")}) EXPECT_EQ(in_json(other), 400);
  for (const Json& other :
       {Json("secret-two\0"s), Json(1), Json(true), Json{"secret-two"}, Json{{"a", "secret-two"}}})
    EXPECT_EQ(in_json(other), 400);
  for (const std::string& wrong :
       {"Bearer"s, "Bearer "s, "Basic " + key, key, "Bearer\t" + key, "Bearer " + key + "x"})
    EXPECT_NE(in_header(wrong), 200) << wrong;
  for (const std::string& right :
       {"Bearer " + key, "bearer  secret-two"s, "DeepL-Auth-Key secret-two"s})
    EXPECT_EQ(in_header(right), 200) << right;
  EXPECT_EQ(in_json(key), 200);
  EXPECT_EQ(status(post_form("/translate", "q=a&source=en&target=fr&api_key=secret-two")), 200);
  EXPECT_EQ(status(post_form("/translate", "q=a&source=en&target=fr&api_key=secret-tw")), 403);
  const std::string lines = logged();
  EXPECT_GT(std::ranges::count(lines, '\n'), 20);
  // Parts that neither a time nor a random request id can hold by chance.
  for (const char* part : {"secret", "caract", "de 24", "api_key", "Bearer"})
    EXPECT_EQ(lines.find(part), lines.npos) << part;
}

// covers SV14: an error inside tells no key either
TEST_F(Keys, AreNowhereInAnAnswer) {
  for (const char* body : {R"({"api_key":"secret-two","api_key":1})", R"({"api_key":"secret-two)",
                           R"({"api_key":"secret-tw"})", R"({"api_key":["secret-two"]})"}) {
    const HttpResponse response = ask(service(), post("/translate", "application/json", body));
    EXPECT_GE(response.status, 400);
    EXPECT_EQ(response.body.find("secret"), std::string::npos) << response.body;
  }
}

// covers SV14, SV15
TEST_F(Keys, AreNotGuessedFasterThanTheLimit) {
  spec.per_minute = 3;
  const HttpRequest guesses[]{
      with(get("/metrics"), "Authorization", "Bearer wrong"),
      with(get("/v1/runs"), "Authorization", "Bearer wrong"),
      with(get("/v1/runs/m/metrics"), "Authorization", "Bearer wrong"),
      with(get("/v1/positional"), "Authorization", "Bearer wrong"),
      with(get("/v1/weights"), "Authorization", "Bearer wrong"),
      with(get("/v1/heads"), "Authorization", "Bearer wrong"),
      with(get("/v1/model"), "Authorization", "Bearer wrong"),
      with(get("/v2/usage"), "Authorization", "Bearer wrong"),
      post_json("/translate", {{"api_key", "wrong"}}),
      post_json("/detect", {{"api_key", "wrong"}}),
      post_json("/v1/inspect", {{"api_key", "wrong"}}),
      post_form("/v2/translate", "auth_key=wrong"),
      get("/metrics"),
      post("/translate", "application/json", "{"),
      post("/translate", "application/json", R"({"api_key":1})"),
      post("/translate", "text/plain", "x"),
      post("/v2/translate", "application/json", "{"),
      post_form("/detect", "q=%zz"),
  };
  int site = 0;
  for (HttpRequest request : guesses) {
    request.peer = "10.0.0." + std::to_string(++site);
    for (int i = 0; i < 3; ++i) EXPECT_NE(status(request), 429) << request.path << request.body;
    const HttpResponse slower = ask(service(), request);
    EXPECT_EQ(slower.status, 429) << request.path << request.body;
    EXPECT_GE(std::atoi(header_of(slower, "Retry-After").c_str()), 1);
  }
}

// Examples come from the text that a model was trained with.
TEST_F(Keys, OpenTheExamplesOfAModel) {
  models();
  folder().write("m/examples.json", R"({"schema":1,"examples":["b a"]})");
  const auto examples = [&](const HttpRequest& request) {
    return body_of(ask(service(), request))["models"][0]["examples"];
  };
  const Json own{"b a"};
  EXPECT_EQ(examples(with(get("/v1/model"), "Authorization", "Bearer secret-two")), own);
  for (const HttpRequest& request :
       {get("/v1/model"), with(get("/v1/model"), "Authorization", "Bearer wrong"),
        get("/v1/model", "api_key=secret-two")})
    EXPECT_EQ(examples(request), Json::array());  // nor words of its vocabulary
  EXPECT_EQ(ask(service(), get("/v1/model")).body.find("b a"), std::string::npos);
}

// covers SV15: of a key, from wherever it is used
TEST_F(Keys, HaveALimitOfTheirOwn) {
  spec.per_minute = 3;
  const auto translated = [&](const std::string& key, const std::string& peer) {
    HttpRequest request = with(post_json("/translate", kAsked), "Authorization", "Bearer " + key);
    request.peer = peer;
    return status(request);
  };
  for (const char* peer : {"10.0.0.1", "10.0.0.2", "2001:db8::1"})
    EXPECT_EQ(translated(kKey, peer), 200);
  EXPECT_EQ(translated(kKey, "10.0.0.3"), 429);
  EXPECT_EQ(translated("secret-two", "10.0.0.3"), 200);
  EXPECT_EQ(translated("wrong", "10.0.0.3"), 403);
  // Who only looks is not slowed down: a page does so every two seconds, a monitor for ever.
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(status(with(get("/metrics"), "Authorization", std::string("Bearer ") + kKey)), 200);
}

// covers SV15: spoofed, garbage, empty, 10,000 hops, IPv6
TEST(ForwardedFor, MovesNobodyOutOfTheLimit) {
  const testing::Folder folder;
  ServeSpec spec;
  spec.per_minute = 2;
  spec.proxies = "10.1.1.1,fd00::1";
  Service service(spec, {testing::write_small_model(folder)});
  const auto status = [&](const std::string& peer, const std::string& forwarded) {
    HttpRequest request = post_json("/detect", {{"q", "a"}});
    request.peer = peer;
    request.headers.emplace_back("X-Forwarded-For", forwarded);
    return ask(service, request).status;
  };
  // Not from a proxy: whatever is claimed, it is one client.
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "1.1.1." + std::to_string(i % 250) + ", ";
  int turn = 0;
  for (const std::string& claim : {"9.9.9.9"s, "9.9.9.8"s, ""s, "garbage"s, "\x01\xff"s, many})
    EXPECT_EQ(status("10.2.2.2", claim), ++turn <= 2 ? 200 : 429) << claim.substr(0, 20);
  // From a proxy: the address that it saw counts, not what stands before it.
  turn = 0;
  for (const std::string& claim :
       {"1.1.1.1, 8.8.8.8"s, "2.2.2.2, 8.8.8.8:4711"s, many + "8.8.8.8", "::ffff:8.8.8.8"s})
    EXPECT_EQ(status("10.1.1.1", claim), ++turn <= 2 ? 200 : 429) << claim.substr(0, 20);
  // A whole net of IPv6 is one client, and an IPv6 proxy is believed in every spelling.
  turn = 0;
  for (const std::string& claim : {"2001:db8::1"s, "[2001:db8::2]:80"s, "2001:0DB8:0::ffff"s})
    EXPECT_EQ(status(claim[0] == '[' ? "fd00::1" : "FD00:0::1", claim), ++turn <= 2 ? 200 : 429);
  EXPECT_EQ(status("fd00::1", "2001:db8:0:1::1"), 200);
  // What a proxy sends that is no address counts for the proxy.
  turn = 0;
  for (const std::string& claim : {"unknown"s, "_hidden"s, "1.2.3"s, "8.8.8.8, "s})
    EXPECT_EQ(status("10.1.1.1", claim), ++turn <= 2 ? 200 : 429) << claim;
}

}  // namespace
}  // namespace regard
