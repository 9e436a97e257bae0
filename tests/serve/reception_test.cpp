// What a server says before its service is there, and what it says without asking it.
#include "regard/serve/reception.h"

#include <mutex>

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
          [this](HttpRequest request, std::shared_ptr<Waiting> waiting, Respond respond) {
            reception(std::move(request), std::move(waiting), std::move(respond));
          },
          http,
          [this](const HttpRequest& request, HttpResponse& response) {
            reception.own_answer(request, response);
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
  Reception reception;

 private:
  std::optional<testing::LocalServer> server_;
};

const std::string kHealth = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

TEST_F(AtTheDoor, SaysThatItLoadsUntilTheServiceIsThere) {
  const Reply early = told(kHealth);
  EXPECT_EQ(early.status, 503);
  EXPECT_EQ(Json::parse(early.body).at("error"), "Loading model");
  EXPECT_NE(early.head.find("\r\nRetry-After: 1\r\n"), early.head.npos) << early.head;
  reception.reload();  // nothing there yet: no matter
  reception.open(service());
  EXPECT_EQ(told(kHealth).status, 200);
}

// covers SV22, SV24
TEST_F(AtTheDoor, WhatTheServiceNeverSawIsDressedCountedAndLogged) {
  std::mutex mutex;
  std::string lines;
  log = [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    lines += std::string(line) + "\n";
  };
  http.body_bytes = 100;
  reception.open(service());
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
  reception.open(service());
  const Reply large =
      told("POST /v2/translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 101\r\n\r\n");
  EXPECT_EQ(large.status, 413);
  EXPECT_TRUE(Json::parse(large.body).contains("message")) << large.body;
  const Reply wrong = told("DELETE /v2/translate HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_TRUE(Json::parse(wrong.body).contains("message")) << wrong.body;
}

TEST_F(AtTheDoor, ALateAnswerIsA504OfItsRoute) {
  http.request_seconds = 0.001;
  spec.chars = 1'000'000;
  spec.beam = 32;  // slow
  reception.open(service());
  const std::vector<std::string> texts(60, std::string(4000, 'a'));
  const std::string body = Json{{"text", texts}, {"target_lang", "FR"}}.dump();
  const Reply reply = told(
      "POST /v2/translate HTTP/1.1\r\nHost: localhost\r\n"
      "Content-Type: application/json\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_EQ(reply.status, 504) << reply.body;
  EXPECT_TRUE(Json::parse(reply.body).contains("message")) << reply.body;
  EXPECT_NE(metrics().find(R"(route="/v2/translate",status="504"} 1)"), std::string::npos)
      << metrics();
}

}  // namespace
}  // namespace regard
