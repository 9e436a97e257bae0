// Slow clients by the hundred must not slow the others. REGARD_LONG_TESTS=1 takes the full size.
#include <algorithm>
#include <cstdlib>

#include "tests/serve/http_testing.h"

namespace regard::testing {
namespace {

struct Size {
  int slow, quick;
  double header_seconds;
  double floor;  ///< seconds that a shared machine's scheduler takes now and then
};

Size size() {
  if (std::getenv("REGARD_LONG_TESTS")) return {2000, 10'000, 10, 0.05};
  return {200, 300, 1, 0.5};
}

/// Seconds of each of `count` quick requests on new connections, sorted.
std::vector<double> times(int port, int count) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i) {
    const Moment begun = std::chrono::steady_clock::now();
    EXPECT_EQ(ask(port, get_bytes("/quick")).body, "GET /quick?|");
    result.push_back(seconds_since(begun));
  }
  std::ranges::sort(result);
  return result;
}

double p99(const std::vector<double>& sorted) {
  return sorted[sorted.size() * 99 / 100];
}

/// How many of the clients the server has ended or answered so far.
std::ptrdiff_t cut(const std::vector<Client>& clients) {
  return std::ranges::count_if(clients, [](const Client& client) {
    pollfd now{client.descriptor(), POLLIN, 0};
    return poll(&now, 1, 0) == 1;
  });
}

TEST(HttpLoad, SlowHeadersDoNotSlowOthers) {  // covers SV7
  const Size full = size();
  const LocalServer server(echo, {.header_seconds = full.header_seconds});
  const std::vector<double> quiet = times(server.port(), full.quick);

  std::vector<Client> slow;
  for (int i = 0; i < full.slow; ++i) {
    slow.emplace_back(server.port(), fmt::format("127.0.1.{}", i % 4).c_str());
    slow.back().send("GET / HTTP/1.1\r\nX: ");
  }
  const Moment start = std::chrono::steady_clock::now();
  double all_cut = 0;
  std::jthread dripping([&] {
    while (cut(slow) < full.slow && seconds_since(start) < full.header_seconds + 10) {
      for (Client& client : slow) client.send("y");
      sleep_seconds(0.1);
    }
    all_cut = seconds_since(start);
  });
  const std::vector<double> beset = times(server.port(), full.quick);
  dripping.join();
  std::printf("p99 quiet %.2f ms, beset %.2f ms; %d slow clients cut after %.1f s\n",
              1e3 * p99(quiet), 1e3 * p99(beset), full.slow, all_cut);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose times say nothing
  EXPECT_LT(all_cut, full.header_seconds + 9);
  EXPECT_LT(p99(beset), std::max(3 * p99(quiet), full.floor));
#endif
}

}  // namespace
}  // namespace regard::testing
