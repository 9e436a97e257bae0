// A server's life: where it can listen, what it does without descriptors, how it stops.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <fstream>
#include <mutex>

#include "regard/base/check.h"
#include "tests/serve/http_testing.h"
#include "tests/support/warnings.h"

namespace regard::testing {
namespace {

std::string refusal_to_listen(HttpSpec spec) {
  try {
    const HttpServer server(std::move(spec), echo);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::io);
    return error.what();
  }
  return "";
}

TEST(HttpServer, SaysWhyItCannotListen) {  // covers SV20
  const HttpServer taken({.port = 0}, echo);
  const std::string in_use = refusal_to_listen({.port = taken.port()});
  EXPECT_NE(in_use.find(std::to_string(taken.port())), in_use.npos) << in_use;
  EXPECT_NE(in_use.find("--port 0"), in_use.npos) << in_use;
  for (const char* host : {"nonsense", "256.1.1.1", "127.0.0.1:80", "", "1.2.3", ":::"}) {
    const std::string bad = refusal_to_listen({.host = host, .port = 0});
    EXPECT_NE(bad.find("not an IP address"), bad.npos) << host << ": " << bad;
  }
  const std::string foreign = refusal_to_listen({.host = "192.0.2.1", .port = 0});
  EXPECT_NE(foreign.find("does not have that address"), foreign.npos) << foreign;
}

TEST(HttpServer, SaysThatLowPortsAreForTheSystem) {  // covers SV20
  int first = 1024;
  std::ifstream("/proc/sys/net/ipv4/ip_unprivileged_port_start") >> first;
  if (first <= 1) GTEST_SKIP() << "skipped: this machine has no privileged ports";
  const pid_t child = fork();
  if (child == 0) {  // as a user who is not root
    const bool other = geteuid() != 0 || setuid(65534) == 0;
    const std::string low = refusal_to_listen({.port = 1});
    _exit(other && low.find("below 1024") != low.npos && low.find("--port") != low.npos ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(HttpServer, ListensAtIpv6AndByName) {  // covers SV20
  for (const char* host : {"::1", "[::1]", "::"}) {
    if (const int probe = socket(AF_INET6, SOCK_STREAM, 0); probe < 0)
      GTEST_SKIP() << "skipped: no IPv6";
    else
      close(probe);
    std::mutex mutex;
    std::string peer;
    const LocalServer server(
        [&](const HttpRequest& request, const auto& cancel, const Respond& respond) {
          const std::lock_guard lock(mutex);
          peer = request.peer;
          echo(request, cancel, respond);
        },
        {.host = host});
    const int client = socket(AF_INET6, SOCK_STREAM, 0);
    sockaddr_in6 target{};
    target.sin6_family = AF_INET6;
    target.sin6_port = htons(static_cast<std::uint16_t>(server.port()));
    target.sin6_addr = in6addr_loopback;
    EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&target), sizeof target), 0);
    const std::string request = get_bytes("/six");
    EXPECT_GT(send(client, request.data(), request.size(), 0), 0);
    char answer[4096];
    EXPECT_GT(recv(client, answer, sizeof answer, 0), 0);
    close(client);
    const auto last_peer = [&] {
      const std::lock_guard lock(mutex);
      return peer;
    };
    EXPECT_EQ(last_peer(), "::1");
    if (host == std::string("::")) {
      EXPECT_EQ(ask(server.port(), get_bytes("/four")).status, 200) << "both kinds";
      EXPECT_EQ(last_peer(), "127.0.0.1");
    }
  }
  EXPECT_EQ(ask(LocalServer(echo, {.host = "localhost"}).port(), get_bytes("/")).status, 200);
}

TEST(HttpServer, WithoutDescriptorsItWaitsWithoutSpinningAndRecovers) {  // covers SV20
  const testing::Warnings warnings;
  {
    const LocalServer server(echo);
    Client early(server.port());
    early.send(get_bytes("/"));
    EXPECT_EQ(early.reply().status, 200);
    rlimit usual{};
    getrlimit(RLIMIT_NOFILE, &usual);
    Client late = [&] {  // its own descriptor is the last one
      const int next = open("/dev/null", O_RDONLY);
      close(next);
      const rlimit tight{static_cast<rlim_t>(next) + 1, usual.rlim_max};
      setrlimit(RLIMIT_NOFILE, &tight);
      return Client(server.port());
    }();
    late.send(get_bytes("/late"));
    const std::clock_t before = std::clock();
    EXPECT_EQ(late.reply(false, 0.5).status, 0) << "it is not let in yet";
    EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.2) << "it spins";
    early.send(get_bytes("/early"));
    EXPECT_EQ(early.reply().body, "GET /early?|") << "those inside are served";
    setrlimit(RLIMIT_NOFILE, &usual);
    EXPECT_EQ(late.reply().body, "GET /late?|");
  }
  EXPECT_EQ(warnings.lines.size(), 1u) << "said once";
}

/// A handler that answers when told.
struct Gate {
  std::atomic<bool> open{false};
  std::atomic<int> in_flight{0}, called_off{0};
  std::vector<std::jthread> threads{};

  Handler handler() {
    return
        [this](HttpRequest request, const std::shared_ptr<CancelToken>& cancel, Respond respond) {
          ++in_flight;
          threads.emplace_back([=, this] {
            while (!open && !cancel->cancelled()) sleep_seconds(0.005);
            if (cancel->cancelled()) ++called_off;
            echo(request, cancel, respond);
          });
        };
  }
};

TEST(HttpServer, StopFinishesWhatIsAtWork) {  // covers SV19
  Gate gate;
  LocalServer server(gate.handler(), {.grace_seconds = 10});
  Client idle(server.port()), busy(server.port()), half(server.port());
  busy.send(get_bytes("/busy"));
  half.send("POST /half HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  ASSERT_EQ(half.reply().status, 100) << "its head has arrived";
  half.send("ab");
  ASSERT_TRUE(soon([&] { return gate.in_flight == 1; }));
  server->stop();
  EXPECT_TRUE(idle.ends()) << "idle ones are closed at once";
  EXPECT_THROW(Client(server.port()), std::runtime_error) << "no new ones";
  half.send("cd");
  ASSERT_TRUE(soon([&] { return gate.in_flight == 2; }));
  gate.open = true;
  for (Client* client : {&busy, &half}) {
    const Reply reply = client->reply();
    EXPECT_EQ(reply.status, 200);
    EXPECT_TRUE(reply.says_close());
    EXPECT_TRUE(client->ends());
    client->close();
  }
  const Moment start = std::chrono::steady_clock::now();
  server.join();
  EXPECT_LT(seconds_since(start), 8) << "it does not sit the grace out";
  EXPECT_EQ(gate.called_off, 0);
}

TEST(HttpServer, StopEndsWithTheGrace) {  // covers SV19
  Gate gate;
  LocalServer server(gate.handler(), {.grace_seconds = 0.3});
  Client busy(server.port());
  busy.send(get_bytes("/busy"));
  ASSERT_TRUE(soon([&] { return gate.in_flight == 1; }));
  const Moment start = std::chrono::steady_clock::now();
  server->stop();
  server.join();
  EXPECT_GT(seconds_since(start), 0.25);
  EXPECT_LT(seconds_since(start), 15);
  EXPECT_TRUE(soon([&] { return gate.called_off == 1; }));
}

TEST(HttpServer, StopNowDoesNotWait) {  // covers SV19
  Gate gate;
  LocalServer server(gate.handler());
  Client busy(server.port());
  busy.send(get_bytes("/busy"));
  ASSERT_TRUE(soon([&] { return gate.in_flight == 1; }));
  server->stop();
  server->stop_now();  // a second signal
  const Moment start = std::chrono::steady_clock::now();
  server.join();
  EXPECT_LT(seconds_since(start), 15) << "it does not sit the grace out";
  EXPECT_TRUE(soon([&] { return gate.called_off == 1; }));
}

TEST(HttpServer, StopUnderLoadAnswersWhatItTook) {  // covers SV19
  std::atomic<int> taken{0}, answered{0};
  LocalServer server([&](const HttpRequest& request, const auto& cancel, const Respond& respond) {
    ++taken;
    echo(request, cancel, respond);
  });
  std::vector<std::jthread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&, client = Client(server.port())]() mutable {
      while (client.send(get_bytes("/")) && client.reply().status == 200) ++answered;
    });
  ASSERT_TRUE(soon([&] { return answered > 100; }));
  server->stop();
  server.join();
  clients.clear();
  EXPECT_EQ(answered, taken);
}

TEST(HttpServer, CanStopBeforeItRuns) {  // covers SV19
  HttpServer server({.port = 0}, echo);
  server.stop();
  server.run();
}

}  // namespace
}  // namespace regard::testing
