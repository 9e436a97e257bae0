// Requests and answers in turn: methods, order, clients that leave, answers that come late.
#include <mutex>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "tests/serve/http_testing.h"

namespace regard::testing {
namespace {

/// Keeps requests without answering them.
class Shelf {
 public:
  Handler handler() {
    return
        [this](const HttpRequest& request, std::shared_ptr<CancelToken> cancel, Respond respond) {
          if (request.path == "/quick") return respond({.body = "quick"});
          const std::lock_guard lock(mutex_);
          kept_.emplace_back(std::move(cancel), std::move(respond));
        };
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return kept_.size();
  }
  std::pair<std::shared_ptr<CancelToken>, Respond> at(std::size_t i) {
    const std::lock_guard lock(mutex_);
    return kept_.at(i);
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::shared_ptr<CancelToken>, Respond>> kept_;
};

TEST(HttpExchange, MethodsAreAnsweredAsTheyShould) {  // covers SV13
  const LocalServer server(echo);
  const auto ask_method = [&](std::string_view line) {
    return ask(server.port(), fmt::format("{} HTTP/1.1\r\nHost: h\r\n\r\n", line));
  };
  for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    EXPECT_EQ(ask_method(fmt::format("{} /x", method)).body, fmt::format("{} /x?|", method));
  EXPECT_EQ(ask_method("OPTIONS *").body, "OPTIONS *?|");
  for (const char* line : {"TRACE /", "CONNECT h:80"}) {
    const Reply reply = ask_method(line);
    EXPECT_EQ(reply.status, 405) << line;
    EXPECT_NE(reply.head.find("\r\nAllow: "), reply.head.npos) << line;
  }
  EXPECT_EQ(ask_method("BREW /").status, 501);
  EXPECT_EQ(ask_method("get /").status, 501);
  EXPECT_EQ(ask(server.port(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status, 505);
  EXPECT_EQ(ask(server.port(), "GET /old HTTP/1.0\r\n\r\n").body, "GET /old?|");
}

TEST(HttpExchange, HeadIsGetWithoutItsBody) {  // covers SV13
  const LocalServer server(echo);
  Client client(server.port());
  client.send("HEAD /x HTTP/1.1\r\nHost: h\r\n\r\n" + get_bytes("/next"));
  const Reply head = client.reply(/*bodiless=*/true);
  EXPECT_EQ(head.status, 200);
  EXPECT_NE(head.head.find("\r\nContent-Length: 8\r\n"), head.head.npos) << head.head;
  EXPECT_EQ(client.reply().body, "GET /next?|");
  client.send("HEAD /../x HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.reply(/*bodiless=*/true).status, 404);
  EXPECT_TRUE(client.ends()) << "a refusal to HEAD has no body either";
}

TEST(HttpExchange, ExpectIsAnsweredBeforeTheBody) {  // covers SV1 SV13
  const LocalServer server(echo);
  Client client(server.port());
  client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.reply().status, 100);
  client.send("abc");
  EXPECT_EQ(client.reply().body, "POST /p?|abc");
  const auto with = [](std::string_view lines) {
    return fmt::format("POST /p HTTP/1.1\r\nHost: h\r\n{}\r\n", lines);
  };
  EXPECT_EQ(ask(server.port(), with("Content-Length: 9999999\r\nExpect: 100-continue\r\n")).status,
            413);
  EXPECT_EQ(ask(server.port(), with("Content-Length: 3\r\nExpect: 200-ok\r\n")).status, 417);
}

TEST(HttpExchange, ConnectionEndsWhereTheClientWishes) {
  const LocalServer server(echo);
  Client client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: x, Close\r\n\r\n" + get_bytes("/unread"));
  EXPECT_TRUE(client.reply().says_close());
  EXPECT_TRUE(client.ends());
}

TEST(HttpExchange, ThousandPipelinedRequestsKeepTheirOrder) {  // covers SV8
  std::mutex mutex;
  std::vector<std::thread> threads;
  const LocalServer server([&](HttpRequest request, const auto& cancel, const Respond& respond) {
    if (request.path.ends_with('7')) {  // some are answered later, from other threads
      const std::lock_guard lock(mutex);
      threads.emplace_back([=] { echo(request, cancel, respond); });
    } else {
      echo(std::move(request), cancel, respond);
    }
  });
  Client client(server.port());
  std::thread sender([&] {
    for (int i = 0; i < 1000; ++i) client.send(get_bytes(fmt::format("/{}", i)));
    client.end();
  });
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(client.final_reply().body, fmt::format("GET /{}?|", i));
  EXPECT_TRUE(client.ends());
  sender.join();
  const std::lock_guard lock(mutex);
  for (std::thread& thread : threads) thread.join();
}

TEST(HttpExchange, ClientThatOnlyEndsItsSideStillGetsTheAnswer) {  // covers SV8
  Shelf shelf;
  const LocalServer server(shelf.handler());
  Client client(server.port());
  client.send(get_bytes("/slow"));
  client.end();
  ASSERT_TRUE(soon([&] { return shelf.size() == 1; }));
  sleep_seconds(0.4);
  EXPECT_FALSE(shelf.at(0).first->cancelled());
  shelf.at(0).second({.body = "here"});
  EXPECT_EQ(client.final_reply().body, "here");
  EXPECT_TRUE(client.ends());
}

TEST(HttpExchange, WorkForAClientThatLeftIsCalledOff) {  // covers SV8
  Shelf shelf;
  const LocalServer server(shelf.handler(), {.connections_of_one = 1});
  const std::vector<std::function<void(Client&)>> ways = {[](Client& client) { client.close(); },
                                                          [](Client& client) { client.reset(); }};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Client client(server.port());
    client.send(get_bytes("/slow"));
    ASSERT_TRUE(soon([&] { return shelf.size() == i + 1; }));
    EXPECT_FALSE(shelf.at(i).first->cancelled());
    EXPECT_EQ(ask(server.port(), get_bytes("/quick")).status, 503) << "the one place is taken";
    ways[i](client);
    EXPECT_TRUE(soon([&] { return shelf.at(i).first->cancelled(); }));
    shelf.at(i).second({.body = "nobody hears this"});
    EXPECT_TRUE(soon([&] { return ask(server.port(), get_bytes("/quick")).status == 200; }));
  }
}

TEST(HttpExchange, OnlyTheFirstAnswerIsSent) {
  const LocalServer server([](HttpRequest, const auto&, const Respond& respond) {
    respond({.body = "first"});
    respond({.body = "second"});
  });
  Client client(server.port());
  client.send(get_bytes("/") + get_bytes("/"));
  EXPECT_EQ(client.reply().body, "first");
  EXPECT_EQ(client.reply().body, "first");
}

TEST(HttpExchange, AnswerThatTakesTooLongIs504) {  // covers SV17
  Shelf shelf;
  const LocalServer server(shelf.handler(), {.request_seconds = 0.2});
  Client client(server.port());
  client.send(get_bytes("/slow") + get_bytes("/quick"));
  EXPECT_EQ(client.reply().status, 504);
  EXPECT_TRUE(shelf.at(0).first->cancelled()) << "the work is called off";
  shelf.at(0).second({.body = "late"});
  EXPECT_EQ(client.reply().body, "quick") << "the late answer goes to nobody";
}

TEST(HttpExchange, ExceptionsBecome500WithAnIdThatTheLogExplains) {  // covers SV21
  std::mutex mutex;
  std::string log;
  set_warning_sink([&](std::string_view line) {
    const std::lock_guard lock(mutex);
    log += line;
  });
  {
    const LocalServer server([](const HttpRequest& request, const auto& cancel, const Respond& r) {
      if (request.path == "/memory") throw std::bad_alloc();
      if (request.path == "/odd") throw 7;
      if (request.path == "/bad") fail(Fault::input, "in /secret/place\n\x1b[31m");
      echo(request, cancel, r);
    });
    Client client(server.port());
    for (const char* path : {"/bad", "/memory", "/odd"}) {
      client.send(get_bytes(path));
      const Reply reply = client.reply();
      EXPECT_EQ(reply.status, 500);
      ASSERT_TRUE(reply.body.starts_with("{\"error\":\"internal error ")) << reply.body;
      EXPECT_EQ(reply.body.find("secret"), reply.body.npos);
      const std::lock_guard lock(mutex);
      EXPECT_NE(log.find(reply.body.substr(25, 14)), log.npos) << log;
    }
    client.send(get_bytes("/fine"));
    EXPECT_EQ(client.reply().status, 200) << "the server and the connection live";
  }
  set_warning_sink({});
  EXPECT_NE(log.find("in /secret/place\\n\\u001b[31m"), log.npos) << log;
  EXPECT_EQ(log.find('\n'), log.npos);
}

TEST(HttpExchange, AnswersAfterTheServersEndAreDropped) {
  Shelf shelf;
  {
    LocalServer server(shelf.handler());
    Client client(server.port());
    client.send(get_bytes("/slow"));
    ASSERT_TRUE(soon([&] { return shelf.size() == 1; }));
  }
  EXPECT_TRUE(shelf.at(0).first->cancelled());
  shelf.at(0).second({.body = "too late"});
}

}  // namespace
}  // namespace regard::testing
