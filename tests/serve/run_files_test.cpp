// A run's file that is not what it should be: nothing outside the folder is told, and nobody waits.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/serve/serve_testing.h"
#include "tests/support/warnings.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::get;
using testing::Json;

class RunFiles : public testing::ServeTest {
 protected:
  Json lines(const std::string& query = "") {
    const HttpResponse response = ask(service(), get("/v1/runs/m/metrics", query));
    EXPECT_EQ(response.status, 200) << response.body;
    return body_of(response);
  }
  std::string file() {
    models();
    return folder().path("m/metrics.jsonl");
  }
  /// Neither listed nor told, and everyone else is answered as before.
  void expect_no_run() {
    const testing::Warnings warnings;
    EXPECT_EQ(body_of(ask(service(), get("/v1/runs"))).at("runs"), Json::array());
    EXPECT_EQ(lines(), (Json{{"schema", 1}, {"lines", Json::array()}, {"next", 0}}));
    EXPECT_EQ(warnings.lines.size(), 2u) << warnings.text();
    EXPECT_EQ(ask(service(), get("/v1/model")).status, 200);
    std::filesystem::remove_all(file());
  }
};

// covers SV9, SV21
TEST_F(RunFiles, MayHoldAnyLine) {
  std::string deep = "{\"a\":", text;
  for (int i = 0; i < 200'000; ++i) deep += i % 2 == 0 ? "[" : "{\"a\":";
  const auto closed = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  for (const std::string& line :
       {deep, closed(200'000), closed(20'000), std::string(200'000, '['), std::string(200'000, '{'),
        std::string("{\"a\":"), std::string("[{}]"), std::string("3"), std::string("null"),
        std::string(), std::string("{\"a\":1e999}"), std::string("{\"a\":\"\xff\"}"),
        std::string("{\"a\":1}\0", 8), std::string("{\"a\":1,\"a\":2}"),
        "{\"a\":\"" + std::string(1 << 17, 'x') + "\"}"})
    text += line + "\n";
  models();
  folder().write("m/metrics.jsonl", text + "{\"step\":7,\"type\":\"train\"}\n{\"torn\":1}");
  const Json all = lines();
  EXPECT_EQ(all.at("lines"), Json::parse(R"([{"step":7,"type":"train"}])"));
  EXPECT_EQ(all.at("next"), 16);
  EXPECT_EQ(lines("since=15").at("lines").size(), 1u);
  EXPECT_EQ(lines("since=16").at("lines").size(), 0u);
  EXPECT_EQ(body_of(ask(service(), get("/v1/runs"))).at("runs")[0].at("lines"), 16);
}

// covers SV6, MD1
TEST_F(RunFiles, AreNeverElsewhere) {
  folder().write("secret", "{\"secret\":1}\n");
  std::filesystem::create_symlink("../secret", file());
  expect_no_run();
  std::filesystem::create_symlink("config.json", file());
  expect_no_run();
  std::filesystem::create_symlink("metrics.jsonl", file());
  expect_no_run();
  std::filesystem::create_symlink("nowhere", file());
  expect_no_run();
  std::filesystem::create_symlink("/dev/zero", file());
  expect_no_run();
}

// covers SV17, SV19
TEST_F(RunFiles, AreNotWaitedFor) {
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  expect_no_run();
  std::filesystem::create_directory(file());
  expect_no_run();
}

TEST_F(RunFiles, AreReadAsFarAsALimit) {
  std::ofstream(file()) << "{}\n";
  std::filesystem::resize_file(file(), std::uintmax_t{1} << 40);  // of holes
  expect_no_run();
  std::string text;
  for (int i = 0; i < 300; ++i) text += "{\"x\":\"" + std::string(60'000, 'x') + "\"}\n";
  std::ofstream(file()) << text;
  const Json first = lines();
  EXPECT_LT(first.at("lines").size(), 100u);  // and who wants more asks again
  EXPECT_EQ(first["next"], first["lines"].size());
  Json next = first;
  std::size_t seen = first["lines"].size();
  while (!next["lines"].empty()) {
    next = lines("since=" + std::to_string(next["next"].get<int>()));
    seen += next["lines"].size();
  }
  EXPECT_EQ(seen, 300u);
}

}  // namespace
}  // namespace regard
