// What a model's files hold reaches the terminal as text, never as commands, and never as two
// lines.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

constexpr const char* kEvil =
    "e\x1b[31m\nregard: all is well\r\x07\x7f\xc2\x9b"
    "2J";

/// No control character but the ends of lines, in UTF-8 as in ASCII.
void expect_tame(const Outcome& outcome, int code, std::ptrdiff_t lines) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), lines) << outcome.out;
  for (const std::string& text : {outcome.out, outcome.err}) {
    EXPECT_TRUE(std::ranges::none_of(text, [](unsigned char c) {
      return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    })) << text;
    EXPECT_EQ(text.find("\xc2\x9b"), text.npos) << text;
    EXPECT_EQ(text.find("\nregard: all is well"), text.npos) << text;
  }
}

TEST(Terminal, GetsNoCommandsFromTheCardOfAModel) {  // covers SV24
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::size_t lines = lines_of(run_regard({"info", model}).out).size();
  auto info = nlohmann::json::parse(folder.read("m/config.json"));
  info["from"] = info["to"] = kEvil;
  folder.write("m/config.json", info.dump());
  expect_tame(run_regard({"info", model}), 0, static_cast<std::ptrdiff_t>(lines));
  folder.write(std::string("m/") + "\x1b[2J\n.tokens", "");
  expect_tame(run_regard({"info", model}), 0, static_cast<std::ptrdiff_t>(lines) + 1);
  expect_tame(run_regard({"translate", "-m", model}, {.input = "a b\n"}), 0, 1);
  const Outcome inspected = run_regard({"inspect", "-m", model, "a b"});
  expect_tame(inspected, 0, std::ranges::count(inspected.out, '\n'));
}

TEST(Terminal, GetsNoCommandsFromTheNamesOfFiles) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string weights = folder.path("\x1b[31m\nx.safetensors");
  std::filesystem::copy_file(model + "/model.safetensors", weights);
  expect_tame(run_regard({"average", "-m", model, weights, "--out", folder.path("out")}), 0, 2);
  const std::string damaged =
      write_small_model(folder, {.not_finite = true}, "\x1b[31m\nregard: all is well");
  expect_tame(run_regard({"score", "-m", damaged}, {.input = "a\tA\n"}), 3, 0);
  const std::string odd = folder.write("\x1b[2J\n.tsv", "a\tb\nc\td\te\n");
  expect_tame(run_regard({"corpus", odd}), 0, 2);
}

TEST(Terminal, GetsOneLineForAPieceOfTwo) {
  const Folder folder;
  const std::string model = write_small_model(folder, {.subwords = true});
  const std::string tokens = folder.path("m/joint.tokens");
  const Outcome before = run_regard({"vocab", "--show", tokens});
  ASSERT_EQ(before.code, 0) << before.err;
  std::string file = folder.read("m/joint.tokens");
  for (const char* piece :
       {"<pad>", "<eos>", "</s>", "lack", "eep", "hom"})  // where there is such a one
    if (const std::size_t at = file.find(piece); at != file.npos) file.replace(at + 1, 2, "\x1b\n");
  folder.write("m/joint.tokens", file);
  const Outcome after = run_regard({"vocab", "--show", tokens});
  expect_tame(after, 0, std::ranges::count(before.out, '\n'));
  EXPECT_NE(after.out, before.out);
  expect_tame(run_regard({"score", "-m", model, "--per-token"}, {.input = "a\tb\nc\td\n"}), 0, 2);
  expect_tame(run_regard({"translate", "-m", model}, {.input = "a b\nc\n"}), 0, 2);
  expect_tame(run_regard({"vocab", "--encode", tokens}, {.input = "a b\nc\n"}), 0, 2);
}

}  // namespace
}  // namespace regard
