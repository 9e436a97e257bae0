// What a server says before its service is there, and what it says without asking it.
#include "regard/serve/startup_gate.h"

#include <mutex>
#include <optional>

#include "tests/serve/http_testing.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::Client;
using testing::Json;
using testing::Reply;

class AtTheDoor : public testing::ServeTest {
 protected:
  testing::LocalServer& server() {
    if (!server_)
      server_.emplace(
          [this](HttpRequest request, std::shared_ptr<CancelToken> cancel, Respond respond) {
            gate(std::move(request), std::move(cancel), std::move(respond));
          },
          http,
          [this](const HttpRequest& request, double seconds, HttpResponse& response) {
            gate.own_response(request, seconds, response);
          });
    return *server_;
  }
  Reply told(const std::string& bytes) {
    Client client(server().port());
    client.send(bytes);
    return client.reply();
  }
  std::string metrics() {
    return testing::ask(service(), {.method = "GET",
                                    .path = "/metrics",
                                    .headers = {{"Host", "localhost"}},
                                    .peer = "127.0.0.1"})
        .body;
  }

  HttpSpec http{};
  StartupGate gate;

 private:
  std::optional<testing::LocalServer> server_;
};

const std::string kHealth = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

TEST_F(AtTheDoor, SaysThatItLoadsUntilTheServiceIsThere) {
  const Reply early = told(kHealth);
  EXPECT_EQ(early.status, 503);
  EXPECT_EQ(Json::parse(early.body).at("error"), "Loading model");
  for (const std::string header : {"Retry-After: 1", "X-Content-Type-Options: nosniff"})
    EXPECT_NE(early.head.find("\r\n" + header + "\r\n"), early.head.npos) << early.head;
  gate.open(service());
  EXPECT_EQ(told(kHealth).status, 200);
}

// covers SV22
TEST_F(AtTheDoor, DressesEveryAnswer) {
  gate.open(service());
  for (const std::string path : {"/", "/health", "/nothing", "/translate", "/../x", "no path"}) {
    const Reply reply = told("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for (const std::string header : {"X-Content-Type-Options: nosniff", "Cache-Control: no-store",
                                     "X-Frame-Options: DENY", "Referrer-Policy: no-referrer"})
      EXPECT_NE(reply.head.find("\r\n" + header + "\r\n"), reply.head.npos) << path << reply.head;
  }
}

// covers SV24
TEST_F(AtTheDoor, WhatTheServiceNeverSawIsDressedCountedAndLogged) {
  std::mutex mutex;
  std::string lines;
  log = [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    lines += std::string(line) + "\n";
  };
  http.body_bytes = 100;
  gate.open(service());
  const Reply reply =
      told("POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 101\r\n\r\n");
  EXPECT_EQ(reply.status, 413);
  for (const std::string header :
       {"X-Content-Type-Options: nosniff", "Cache-Control: no-store", "X-Frame-Options: DENY"})
    EXPECT_NE(reply.head.find(header), reply.head.npos) << reply.head;
  EXPECT_EQ(told("no request\r\n\r\n").status, 400);
  EXPECT_NE(metrics().find(R"(route="/translate",status="413"} 1)"), std::string::npos)
      << metrics();
  EXPECT_NE(metrics().find(R"(route="none",status="400"} 1)"), std::string::npos) << metrics();
  const std::lock_guard lock(mutex);
  EXPECT_NE(lines.find(R"(path="/translate" client="127.0.0.1" status=413)"), lines.npos) << lines;
}

TEST_F(AtTheDoor, SpeaksToDeepLsClientsInTheirShape) {
  http.body_bytes = 100;
  gate.open(service());
  const Reply large =
      told("POST /v2/translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 101\r\n\r\n");
  EXPECT_EQ(large.status, 413);
  EXPECT_TRUE(Json::parse(large.body).contains("message")) << large.body;
  const Reply wrong = told("DELETE /v2/translate HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_TRUE(Json::parse(wrong.body).contains("message")) << wrong.body;
}

TEST_F(AtTheDoor, ALateAnswerIsA504OfItsRouteWithItsTime) {
  gate.open(service());
  Respond never;
  const testing::LocalServer silent(
      [&](HttpRequest, std::shared_ptr<CancelToken>, Respond respond) {
        never = std::move(respond);
      },
      {.request_seconds = 0.05},
      [&](const HttpRequest& request, double seconds, HttpResponse& response) {
        EXPECT_GE(seconds, 0.05);
        gate.own_response(request, seconds, response);
      });
  Client client(silent.port());
  client.send("POST /v2/translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
  const Reply reply = client.reply();
  EXPECT_EQ(reply.status, 504) << reply.body;
  EXPECT_TRUE(Json::parse(reply.body).contains("message")) << reply.body;
  EXPECT_NE(metrics().find(R"(route="/v2/translate",status="504"} 1)"), std::string::npos)
      << metrics();
}

TEST_F(AtTheDoor, WhatNobodyGetsIsNotCounted) {
  const auto cancel = std::make_shared<CancelToken>();
  cancel->cancel();
  int told = 0;
  service()(
      {.method = "GET", .path = "/health", .headers = {{"Host", "localhost"}}, .peer = "127.0.0.1"},
      cancel, [&](HttpResponse) { ++told; });
  EXPECT_EQ(told, 0);
  EXPECT_EQ(metrics().find("/health"), std::string::npos);
}

TEST_F(AtTheDoor, AReloadAskedForWhileItLoadsComesAfterIt) {
  service();  // has read the model; what comes now is newer
  const auto hash = [&] {
    return Json::parse(testing::ask(service(), {.method = "GET",
                                                .path = "/v1/model",
                                                .headers = {{"Host", "localhost"}},
                                                .peer = "127.0.0.1"})
                           .body)["models"][0]["hash"];
  };
  const Json before = hash();
  testing::write_small_model(folder(), {.seed = 99});
  gate.reload();
  EXPECT_EQ(hash(), before);
  gate.open(service());
  EXPECT_NE(hash(), before);
}

}  // namespace
}  // namespace regard
