// The whole program with all its threads at work. The thread sanitizer (./run test --all) tells of
// a race by its name on standard error and by the exit code; other builds see only that it works.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"
#include "tests/serve/http_testing.h"

namespace regard::testing {
namespace {

constexpr const char* kReport = "ThreadSanitizer";

void expect_no_race(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find(kReport), std::string::npos) << outcome.err;
}

TEST(Races, NoneInTrainingAndTranslating) {  // covers CC2
  const MicroTraining training(memory_folder());
  expect_no_race(training.train("run", {"--steps", "12", "-j", "3"}));
  expect_no_race(training.train("run", {"--steps", "16", "-j", "3"}));
  std::string text;
  for (int i = 0; i < 60; ++i) text += "you will play .\n";
  expect_no_race(run_regard({"translate", "-m", training.run("run"), "-j", "3"}, {.input = text}));
}

/// The port that a server says it listens at; 0 if it says none.
int port_in(const std::string& said) {
  constexpr std::string_view kAddress = "http://127.0.0.1:";
  const std::size_t at = said.find(kAddress);
  return at == said.npos ? 0 : std::atoi(said.c_str() + at + kAddress.size());
}

TEST(Races, NoneInServingReloadingAndStopping) {  // covers CC2
  const Folder folder;
  const std::string model = write_small_model(folder);
  for (const int how : {SIGTERM, SIGINT}) {
    const std::string said = "said-" + std::to_string(how);
    Running server({"serve", "-m", model, "--port", "0", "-j", "3"}, folder.path(said));
    ASSERT_TRUE(wait_for([&] { return port_in(folder.read(said)) != 0; }));
    const int port = port_in(folder.read(said));
    std::atomic<int> answered{0};
    {
      std::vector<std::jthread> clients;
      for (int c = 0; c < 4; ++c)
        clients.emplace_back([&] {
          const std::string body = R"({"q":"the black cat .","source":"en","target":"fr"})";
          for (int i = 0; i < 10; ++i) {
            Client client(port);
            client.send(
                fmt::format("POST /translate HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n"
                            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                            port, body.size(), body));
            answered += client.reply().status == 200;
          }
        });
      for (int i = 0; i < 5; ++i) {
        server.send(SIGHUP);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
    EXPECT_EQ(answered, 40);
    server.send(how);
    EXPECT_EQ(server.wait(), 0) << folder.read(said);
    EXPECT_EQ(folder.read(said).find(kReport), std::string::npos) << folder.read(said);
  }
}

}  // namespace
}  // namespace regard::testing
