// Names that the file system does not take, and files that are not what they should be, are never
// a fault of the program.
#include <gtest/gtest.h>

#include <map>

#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

using testing::Folder;
using testing::MicroTraining;
using testing::Outcome;
using testing::run_regard;
using testing::says;
using testing::write_small_model;

TEST(StrangePaths, AreTheirOwnersFault) {  // covers CL6
  const Folder folder;
  const std::string model = write_small_model(folder), text = folder.write("text", "a\tA\n");
  fs::create_symlink(folder.path("loop"), folder.path("loop"));
  const std::string names[]{folder.path(std::string(300, 'n')), folder.path("loop"),
                            folder.path("loop/below"), text + "/below",
                            "/proc/self/fd/none/" + std::string(5000, 'n')};
  for (const std::string& name : names)
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"train", "--train", text, "--model", name},
             {"info", name},
             {"translate", "-m", name},
             {"translate", "-m", model, "-i", name},
             {"translate", "-m", model, "-o", name},
             {"translate", "-m", model, "--log-file", name},
             {"score", "-m", model, "-o", name, "--overwrite"},
             {"average", "-m", name, "--out", folder.path("mean")},
             {"average", "-m", model, model + "/model.safetensors", "--out", name},
             {"convert", "--to", "ctranslate2", name, "--out", folder.path("form")},
             {"convert", "--to", "ctranslate2", model, "--out", name},
             {"convert", "--to", "int8", model, "--out", folder.path("form"), "--receipt", name,
              text},
             {"corpus", text, "--out", name},
             {"corpus", name, "--check"},
             {"vocab", "--input", text, "--type", "words", "--out", name},
             {"vocab", "--show", name},
             {"inspect", "-m", model, "--svg", name, "a"},
             {"positions", "-m", name},
             {"attend", "--query", "1,2", "--svg", name},
             {"evaluate", "--ref", name, "--hyp", text}}) {
      const Outcome outcome = run_regard(arguments, {.input = "a\tA\n"});
      EXPECT_TRUE(outcome.code >= 2 && outcome.code <= 4)
          << arguments[0] << " " << name << ": " << outcome.code << " " << outcome.err;
    }
}

TEST(StrangePaths, OfPicturesAreToldInJsonAsFarAsItCan) {
  const Folder folder;
  const std::string model = write_small_model(folder, {.architecture = "caption"});
  const std::string picture =
      folder.write("\xff.png", png_bytes(1, 1, std::vector<std::uint8_t>{1, 2, 3}));
  for (const std::string command : {"caption", "inspect"}) {
    const Outcome outcome = run_regard({command, "--model", model, picture, "--json"});
    ASSERT_EQ(outcome.code, 0) << command << ": " << outcome.err;
    EXPECT_TRUE(outcome.json()["picture"].get<std::string>().ends_with("/\uFFFD.png")) << command;
  }
}

TEST(StrangePaths, ALoopInAModelsFolderIsNoMatter) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  fs::create_symlink("loop.tokens", model + "/loop.tokens");
  const Outcome outcome = run_regard({"info", model});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(says(outcome.out, "loop.tokens"));
}

TEST(StrangeMetrics, CostAPointOfThePicture) {
  const MicroTraining training;
  ASSERT_EQ(training.train("run", {"--steps", "3"}).code, 0);
  const std::string path = training.run("run") + "/metrics.jsonl";
  const std::string good = training.folder.read("run/metrics.jsonl");
  const std::size_t line = good.find('\n');
  const std::string svg = training.folder.read("run/curves.svg");
  const std::map<std::string, bool> warned{
      {"7", true},
      {"[]", true},
      {"null", true},
      {"\xff", true},
      {"", true},
      {R"({"type":7})", false},
      {R"({"type":"train","loss":"x"})", false},
      {R"({"type":"train","step":[],"loss":1})", false},
  };
  for (const auto& [bad, warns] : warned) {
    SCOPED_TRACE(bad);
    // As long as it was, as the checkpoint knows it.
    training.folder.write("run/metrics.jsonl",
                          bad + std::string(line - bad.size(), ' ') + good.substr(line));
    std::filesystem::remove(training.run("run") + "/curves.svg");
    const Outcome outcome = training.train("run", {"--steps", "3"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find(path + ":1: ") != outcome.err.npos, warns) << outcome.err;
    EXPECT_TRUE(says(outcome.err, "nats per token"));
    const std::string drawn = training.folder.read("run/curves.svg");
    EXPECT_TRUE(says(drawn, "nats per token"));
    EXPECT_NE(drawn, svg) << "a point is missing";
  }
  training.folder.write("run/metrics.jsonl", std::string(line, '[') + good.substr(line));
  const Outcome outcome = training.train("run", {"--steps", "3"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.err, path + ":1: "));
}

}  // namespace
}  // namespace regard
