// Slow and many clients: deadlines per request, limits per address, memory that comes back.
#include <sys/resource.h>

#include <fstream>

#include "tests/serve/http_testing.h"

namespace regard::testing {
namespace {

constexpr double kSlack = 9;  // for a busy machine

HttpSpec short_times() {
  return {.header_seconds = 0.5,
          .body_seconds = 0.5,
          .idle_seconds = 0.5,
          .write_seconds = 0.5,
          .grace_seconds = 0.5};
}

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// Sends a byte every 20 ms until the server answers or ends; seconds until then since the start.
double drip(Client& client, std::string_view bytes, Moment start) {
  for (std::size_t i = 0; seconds_since(start) < 0.5 + kSlack; ++i) {
    client.send(bytes.substr(i % bytes.size(), 1));
    pollfd answered{client.descriptor(), POLLIN, 0};
    if (poll(&answered, 1, 20) == 1) break;
  }
  return seconds_since(start);
}

TEST(HttpDeadline, DrippedHeadIsCutOnTime) {  // covers SV7
  const LocalServer server(echo, short_times());
  for (const bool kept_alive : {false, true}) {
    Moment start = std::chrono::steady_clock::now();
    Client client(server.port());
    if (kept_alive) {
      client.send(get_bytes("/"));
      EXPECT_EQ(client.reply().status, 200);
      start = std::chrono::steady_clock::now();
    }
    client.send("GET / HTTP/1.1\r\nX: ");
    const double lasted = drip(client, "y", start);
    EXPECT_GT(lasted, 0.3);
    EXPECT_LT(lasted, 0.5 + kSlack) << "each byte must not buy more time";
    EXPECT_EQ(client.reply().status, 408);
    EXPECT_TRUE(client.ends());
  }
}

TEST(HttpDeadline, DrippedBodyIsCutOnTime) {  // covers SV1 SV7
  const LocalServer server(echo, short_times());
  const std::pair<const char*, const char*> ways[] = {{"Content-Length: 1000", "x"},
                                                      {"Transfer-Encoding: chunked", "1\r\nx\r\n"}};
  for (const auto& [framing, piece] : ways) {
    Client client(server.port());
    client.send(fmt::format("POST /p HTTP/1.1\r\nHost: h\r\n{}\r\n\r\n", framing));
    EXPECT_LT(drip(client, piece, std::chrono::steady_clock::now()), 0.5 + kSlack);
    EXPECT_EQ(client.reply().status, 408) << framing;
    EXPECT_TRUE(client.ends());
  }
}

TEST(HttpDeadline, SilentConnectionsAreClosed) {  // covers SV7
  const LocalServer server(echo, short_times());
  Client fresh(server.port()), kept(server.port());
  kept.send(get_bytes("/"));
  EXPECT_EQ(kept.reply().status, 200);
  EXPECT_TRUE(fresh.ends(0.5 + kSlack));
  EXPECT_TRUE(kept.ends(0.5 + kSlack));
}

/// Answers /long with 12 MiB, more than sockets take by themselves, and all else at once.
void long_or_echo(const HttpRequest& request, const std::shared_ptr<CancelToken>& cancel,
                  const Respond& respond) {
  if (request.path == "/long") return respond({.body = std::string(12 << 20, 'x')});
  echo(request, cancel, respond);
}

TEST(HttpDeadline, ClientThatDoesNotReadIsCut) {  // covers SV7
  // 12 MiB are given 48 s more than write_seconds: so half a second in all.
  const LocalServer server(long_or_echo, {.connections_of_one = 1, .write_seconds = -47.5});
  Client client(server.port());
  client.send(get_bytes("/long"));
  ASSERT_TRUE(client.receive());
  EXPECT_EQ(ask(server.port(), get_bytes("/")).status, 503) << "its place is taken";
  EXPECT_TRUE(soon([&] { return ask(server.port(), get_bytes("/")).status == 200; }));
}

TEST(HttpDeadline, BytesOnTheirWayAreBoundedInAll) {  // covers SV7
  const LocalServer server(long_or_echo, {.held_bytes = 150'000});
  std::vector<Client> clients;
  const auto send_part = [&] {
    clients.emplace_back(server.port());
    clients.back().send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 100001\r\n\r\n" +
                        std::string(100'000, 'x'));
  };
  send_part();
  EXPECT_EQ(ask(server.port(), get_bytes("/")).status, 200);
  send_part();
  EXPECT_EQ(clients[1].reply().status, 503);
  clients[0].send("x");
  EXPECT_EQ(clients[0].reply().status, 200) << "the first had its place";
  clients.emplace_back(server.port());
  clients.back().send(get_bytes("/long"));
  ASSERT_TRUE(clients.back().receive());
  EXPECT_EQ(ask(server.port(), get_bytes("/")).status, 503)
      << "an answer nobody reads counts as well";
  clients.clear();
  EXPECT_TRUE(soon([&] { return ask(server.port(), get_bytes("/")).status == 200; }));
}

TEST(HttpDeadline, SlowReaderGetsAllWithinItsTime) {
  const std::string body(5 << 20, 'x');
  const LocalServer server(
      [&](const HttpRequest&, const auto&, const Respond& respond) { respond({.body = body}); });
  Client client(server.port());
  client.send(get_bytes("/"));
  sleep_seconds(0.3);
  EXPECT_EQ(client.reply().body.size(), body.size());
}

TEST(HttpDeadline, IdleConnectionsMakeRoomForNewOnes) {  // covers SV7 SV8
  const LocalServer server(echo, {.connections = 30, .connections_of_one = 20});
  std::vector<Client> idle;
  for (int i = 0; i < 100; ++i) {
    idle.emplace_back(server.port());
    idle.back().send("GET / HT");
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(ask(server.port(), get_bytes("/")).status, 200);
  EXPECT_TRUE(idle.front().ends() || idle.front().reply().status == 0) << "the oldest had to go";
  std::vector<Client> others;
  for (int i = 0; i < 60; ++i) others.emplace_back(server.port(), "127.0.0.2");
  EXPECT_EQ(ask(server.port(), get_bytes("/")).status, 200) << "another address took the rest";
}

TEST(HttpDeadline, WorkingConnectionsAreNotPutOut) {  // covers SV7
  std::mutex mutex;
  std::vector<Respond> kept;
  const LocalServer server(
      [&](const HttpRequest&, const auto&, const Respond& respond) {
        const std::lock_guard lock(mutex);
        kept.push_back(respond);
      },
      {.connections = 4, .connections_of_one = 2});
  const auto in_flight = [&] {
    const std::lock_guard lock(mutex);
    return kept.size();
  };
  std::vector<Client> first, second;
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<Client>& clients = i < 2 ? first : second;
    clients.emplace_back(server.port(), i < 2 ? "127.0.0.1" : "127.0.0.2");
    clients.back().send(get_bytes("/"));
    ASSERT_TRUE(soon([&] { return in_flight() == i + 1; }));
  }
  EXPECT_EQ(Client(server.port(), "127.0.0.1").reply().status, 503) << "of one address";
  EXPECT_EQ(Client(server.port(), "127.0.0.3").reply().status, 503) << "in all";
  for (const Respond& respond : kept) respond({.body = "done"});
  for (Client& client : first) EXPECT_EQ(client.reply().body, "done");
  for (Client& client : second) EXPECT_EQ(client.reply().body, "done");
}

TEST(HttpDeadline, StormsOfResetsDoNoHarm) {  // covers SV7
  const LocalServer server(echo);
  for (int i = 0; i < 2000; ++i) {
    Client client(server.port());
    if (i % 3 == 1) client.send("GET / HT");
    if (i % 3 == 2) client.send(get_bytes("/"));
    client.reset();
  }
  EXPECT_EQ(ask(server.port(), get_bytes("/")).status, 200);
}

TEST(HttpDeadline, MemoryComesBack) {  // covers SV3 SV7
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "skipped: a sanitizer keeps what was freed";
#endif
  const LocalServer server(echo, {.body_bytes = 1 << 20});
  const auto round = [&] {
    std::vector<Client> clients;
    for (int i = 0; i < 50; ++i) {
      clients.emplace_back(server.port());
      clients.back().send(
          fmt::format("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n"
                      "X: {}\r\n\r\n{}",
                      std::string(8000, 'y'), std::string(200'000, 'z')));
    }
    for (Client& client : clients) client.reset();
    EXPECT_EQ(ask(server.port(), get_bytes("/")).status, 200);
  };
  for (int i = 0; i < 2; ++i) round();
  const double before = resident_megabytes();
  for (int i = 0; i < 5; ++i) round();
  EXPECT_LT(resident_megabytes() - before, 8) << "five rounds of 10 MB each";
}

}  // namespace
}  // namespace regard::testing
