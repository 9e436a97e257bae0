// Who may ask, how often, and what is told to whom.
#include <algorithm>
#include <chrono>
#include <mutex>

#include "regard/serve/guard/client.h"
#include "regard/serve/guard/sha256.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::get;
using testing::header_of;
using testing::Json;
using testing::post_form;

class Guard : public testing::ServeTest {
 protected:
  const Json kAsked{{"q", "a"}, {"source", "en"}, {"target", "fr"}};

  HttpResponse with_key(const Json& key) {
    Json body = kAsked;
    body["api_key"] = key;
    return translate(body);
  }
};

std::string hex(std::string_view bytes) {
  std::string text;
  for (const std::uint8_t byte : sha256(bytes)) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// covers SV14
TEST_F(Guard, AsksForAKeyWhereOneIsNeeded) {
  spec.key_file = folder().write("keys", "# ours\n\nsecret-one\nsecret-two  \r\n");
  EXPECT_EQ(body_of(translate(kAsked)).at("error"),
            "Please contact the server operator to get an API key");
  EXPECT_EQ(translate(kAsked).status, 400);
  for (const std::string& wrong :
       {std::string("x"), std::string("secret-on"), std::string("secret-one "),
        std::string("# ours"), std::string("\xC3\xA9"), std::string(100000, 's')}) {
    EXPECT_EQ(with_key(wrong).status, 403);
    EXPECT_EQ(body_of(with_key(wrong)).at("error"), "Invalid API key");
  }
  EXPECT_EQ(with_key("secret-one").status, 200);
  EXPECT_EQ(with_key("secret-two").status, 200);
  HttpRequest request = testing::post_json("/translate", kAsked);
  request.query = "api_key=secret-one";  // an address ends up in logs
  EXPECT_EQ(ask(service(), request).status, 400);
  request.headers.emplace_back("Authorization", "Bearer secret-one");
  EXPECT_EQ(ask(service(), request).status, 200);
  EXPECT_EQ(ask(service(), get("/health")).status, 200);
  EXPECT_EQ(ask(service(), get("/metrics")).status, 401);
}

// covers SV14
TEST_F(Guard, TakesAsLongForEveryKey) {
  constexpr int kKeys = 200;
  const auto key = [](int number) { return std::string(100, 'k') + std::to_string(1000 + number); };
  std::string file;
  for (int i = 0; i < kKeys; ++i) file += key(i) + "\n";
  const ApiKeys keys(folder().write("keys", file));
  // The first of them, the last, one that is nearly right, and one that is all wrong.
  const std::string tried[]{key(0), key(kKeys - 1), std::string(100, 'k') + "1x00",
                            std::string(104, 'z')};
  double best[]{1e9, 1e9, 1e9, 1e9};
  for (int round = 0; round < 300; ++round)  // in turns: what else the machine does hits all alike
    for (int i = 0; i < 4; ++i) {
      const auto start = std::chrono::steady_clock::now();
      for (int again = 0; again < 20; ++again) EXPECT_EQ(keys.accepts(tried[i]), i < 2);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      best[i] = std::min(best[i], took.count());
    }
  const auto [least, most] = std::ranges::minmax(best);
  EXPECT_LT(most, 1.5 * least);
}

TEST_F(Guard, RefusesAFileWithoutKeys) {
  EXPECT_THROW(ApiKeys(folder().write("keys", "# none\n")), Error);
  EXPECT_THROW(ApiKeys(folder().path("missing")), Error);
}

// covers SV15
TEST_F(Guard, SlowsDownWhoAsksTooOften) {
  spec.per_minute = 3;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(translate(kAsked).status, 200);
  HttpRequest spoof = testing::post_json("/translate", kAsked);
  spoof.headers.emplace_back("X-Forwarded-For", "10.9.8.7");  // nobody said to believe it
  const HttpResponse response = ask(service(), spoof);
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(body_of(response).at("error"), "Slowdown: 3 per 1 minute");
  EXPECT_GE(std::stoi(header_of(response, "Retry-After")), 1);
  HttpRequest other = testing::post_json("/translate", kAsked);
  other.peer = "127.0.0.2";
  EXPECT_EQ(ask(service(), other).status, 200);
  EXPECT_EQ(ask(service(), get("/health")).status, 200);
}

// covers SV14, SV15
TEST_F(Guard, SlowsDownWhoHasNoKeyForDeepLToo) {
  spec.per_minute = 2;
  spec.key_file = folder().write("keys", "secret-one\n");
  const HttpRequest request = post_form("/v2/translate", "text=a&target_lang=FR");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(ask(service(), request).status, 403);
  EXPECT_EQ(ask(service(), request).status, 429);
}

TEST(RateLimit, FillsUpEvenly) {
  RateLimit limit(60);
  const RateLimit::Clock::time_point start{};
  for (int i = 0; i < 60; ++i) EXPECT_EQ(limit.wait("a", start), 0);
  EXPECT_EQ(limit.wait("a", start), 1);
  EXPECT_EQ(limit.wait("b", start), 0);
  EXPECT_EQ(limit.wait("a", start + std::chrono::seconds(2)), 0);
  EXPECT_EQ(limit.wait("a", start + std::chrono::seconds(2)), 0);
  EXPECT_GT(limit.wait("a", start + std::chrono::seconds(2)), 0);
}

// covers SV15
TEST(ClientAddress, BelievesOnlyTheProxiesItWasToldOf) {
  const auto client = [](const std::string& forwarded, const std::string& proxies) {
    HttpRequest request = get("/");
    request.headers.emplace_back("X-Forwarded-For", forwarded);
    return client_address(request, proxies);
  };
  EXPECT_EQ(client("1.2.3.4", ""), "127.0.0.1");
  EXPECT_EQ(client("1.2.3.4", "10.0.0.1"), "127.0.0.1");
  EXPECT_EQ(client("1.2.3.4", "10.0.0.1, 127.0.0.1"), "1.2.3.4");
  EXPECT_EQ(client("6.6.6.6, 1.2.3.4, 10.0.0.1", "10.0.0.1,127.0.0.1"), "1.2.3.4");
  EXPECT_EQ(client("6.6.6.6, 2001:DB8::0:1", "127.0.0.1"), "2001:db8::1");
  EXPECT_EQ(client("6.6.6.6, [2001:db8::1]:99", "127.0.0.1"), "2001:db8::1");
  EXPECT_EQ(client("::ffff:1.2.3.4", "127.0.0.1"), "1.2.3.4");
  for (const std::string garbage : {"", "x", "1.2.3.4.5", "1.2.3.4,", "\x01"})
    EXPECT_EQ(client(garbage, "127.0.0.1"), "127.0.0.1");
  HttpRequest twice = get("/");  // made up by the client, then added by the proxy
  twice.headers.emplace_back("X-Forwarded-For", "9.9.9.9");
  twice.headers.emplace_back("x-forwarded-for", "1.2.3.4");
  EXPECT_EQ(client_address(twice, "127.0.0.1"), "1.2.3.4");
  std::string hops = "6.6.6.6";
  for (int i = 0; i < 10000; ++i) hops += ", 127.0.0.1";
  EXPECT_EQ(client(hops, "127.0.0.1"), "127.0.0.1");
}

// covers SV15
TEST(ClientAddress, OneSiteIsOneClient) {
  EXPECT_EQ(site_of("1.2.3.4"), "1.2.3.4");
  EXPECT_EQ(site_of("2001:db8::1"), site_of("2001:db8::ffff:2"));
  EXPECT_NE(site_of("2001:db8::1"), site_of("2001:db8:0:1::1"));
}

// covers SV23
TEST(ClientAddress, KnowsItsOwnMachineInEverySpelling) {
  for (const char* own :
       {"localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback(own)) << own;
  for (const char* other : {"", "evil.com", "127.0.0.1.evil.com", "0.0.0.0", "10.0.0.1"})
    EXPECT_FALSE(is_loopback(other)) << other;
}

// covers SV23
TEST_F(Guard, AnswersOnlyToItsOwnNameOnALoopbackAddress) {
  const auto status = [&](const std::string& host) {
    HttpRequest request = get("/languages");
    request.headers = {{"Host", host}};
    return ask(service(), request).status;
  };
  for (const std::string own : {"127.0.0.1:5000", "localhost", "LocalHost:80", "[::1]:5000"})
    EXPECT_EQ(status(own), 200) << own;
  for (const std::string other : {"evil.example", "127.0.0.1.evil.example:5000", "10.0.0.1"})
    EXPECT_EQ(status(other), 403) << other;
}

TEST_F(Guard, RefusesAForeignHostInTheFormOfTheRoute) {
  const auto refused = [&](HttpRequest request) {
    request.headers.front() = {"Host", "evil.example"};
    const HttpResponse response = ask(service(), request);
    EXPECT_EQ(response.status, 403) << response.body;
    return body_of(response);
  };
  for (const HttpRequest& theirs : {post_form("/v2/translate", "text=a&target_lang=FR"),
                                    get("/v2/languages"), get("/v2/usage")})
    EXPECT_TRUE(refused(theirs).at("message").get<std::string>().starts_with("Host not allowed"))
        << theirs.path;
  EXPECT_FALSE(refused(get("/v2/usage")).contains("error"));
  for (const char* ours : {"/languages", "/v1/model", "/"})
    EXPECT_TRUE(refused(get(ours)).contains("error")) << ours;
}

TEST_F(Guard, AnswersToTheNamesItIsGiven) {
  spec.hosts = "translate.example, other.example";
  const auto status = [&](const std::string& host) {
    HttpRequest request = get("/languages");
    request.headers = {{"Host", host}};
    return ask(service(), request).status;
  };
  EXPECT_EQ(status("translate.example"), 200);
  EXPECT_EQ(status("Other.Example:5000"), 200);
  EXPECT_EQ(status("localhost"), 200);
  EXPECT_EQ(status("evil.example"), 403);
  EXPECT_EQ(status("translate.example.evil"), 403);
}

TEST_F(Guard, AnswersToAnyNameElsewhere) {
  spec.host = "0.0.0.0";
  HttpRequest request = get("/languages");
  request.headers = {{"Host", "translate.example"}};
  EXPECT_EQ(ask(service(), request).status, 200);
}

// covers SV13, SV23
TEST_F(Guard, KeepsOtherOriginsOutUnlessToldOtherwise) {
  HttpRequest request = get("/languages");
  request.headers.emplace_back("Origin", "https://a.example");
  EXPECT_EQ(header_of(ask(service(), request), "Access-Control-Allow-Origin"), "");
}

// covers SV13, SV23
TEST_F(Guard, LetsAGivenOriginIn) {
  spec.cors = "https://a.example";
  HttpRequest request = get("/languages");
  request.headers.emplace_back("Origin", "https://a.example");
  const HttpResponse response = ask(service(), request);
  EXPECT_EQ(header_of(response, "Access-Control-Allow-Origin"), "https://a.example");
  EXPECT_EQ(header_of(response, "Access-Control-Allow-Credentials"), "");
  request.method = "OPTIONS";
  request.path = "/translate";
  EXPECT_EQ(ask(service(), request).status, 204);
  EXPECT_EQ(header_of(ask(service(), request), "Access-Control-Allow-Methods"), "GET, POST");
  request.headers.back().second = "https://b.example";
  EXPECT_EQ(header_of(ask(service(), request), "Access-Control-Allow-Origin"), "");
}

// covers SV22
TEST_F(Guard, LetsThePageLoadNothingFromElsewhere) {
  EXPECT_EQ(header_of(ask(service(), get("/")), "Content-Security-Policy"),
            "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
            "frame-ancestors 'none'");
}

// covers SV14, SV24
TEST_F(Guard, LogsNoTextNoKeyAndNothingThatBreaksALine) {
  std::mutex mutex;
  std::string lines;
  log = [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    lines += std::string(line) + "\n";
  };
  spec.key_file = folder().write("keys", "secret-one\n");
  HttpRequest request = get("/a\nb\x1b[31m");
  request.peer = "127.0.0.1\nx";
  ask(service(), request);
  Json body = kAsked;
  body["api_key"] = "secret-one";
  body["q"] = "the black cat";
  ask(service(), testing::post_json("/translate", body));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2) << lines;
  EXPECT_EQ(lines.find('\x1b'), lines.npos);
  EXPECT_EQ(lines.find("secret"), lines.npos);
  EXPECT_EQ(lines.find("black"), lines.npos);
  EXPECT_NE(lines.find("path=\"/translate\" client=\"127.0.0.1\" status=200"), lines.npos) << lines;
}

}  // namespace
}  // namespace regard
