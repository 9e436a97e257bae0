// Files that turn out to be one file, and names that somebody else has taken: nothing is destroyed.
#include <gtest/gtest.h>

#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

using testing::Folder;
using testing::lines_of;
using testing::MicroTraining;
using testing::Outcome;
using testing::run_regard;
using testing::Running;
using testing::says;
using testing::wait_for;
using testing::write_small_model;

class OneFile : public ::testing::Test {
 protected:
  Folder folder_;
  std::string model_ = write_small_model(folder_);

  std::string path(const std::string& name) const { return folder_.path(name); }

  /// The command is refused as misused, and none of the files has changed.
  void expect_refused(const std::vector<std::string>& arguments) const {
    const auto before = testing::files_of(folder_.path());
    const Outcome outcome = run_regard(arguments, {.input = "a\tA\n"});
    EXPECT_EQ(outcome.code, 2) << arguments[0] << ": " << outcome.err;
    EXPECT_TRUE(testing::files_of(folder_.path()) == before) << outcome.err;
  }
};

TEST_F(OneFile, AnInputMayHaveTheNameOfAPart) {  // covers CL2
  for (const std::string command : {"translate", "score"}) {
    const std::string text = command == "score" ? "a b\tA\nc\tB\n" : "a b\nc\n";
    const std::string in = folder_.write("big.part", text);
    const std::string expected = run_regard({command, "-m", model_}, {.input = text}).out;
    const Outcome outcome = run_regard({command, "-m", model_, "-i", in, "-o", path("big")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(folder_.read("big.part"), text);
    EXPECT_EQ(folder_.read("big"), expected);
    EXPECT_EQ(folder_.names().size(), 3u);  // and the model
    fs::remove(path("big"));
  }
}

TEST_F(OneFile, APartNeverTakesTheNameOfAnother) {  // covers CL2
  folder_.write("out.part", "of an earlier run\n");
  folder_.write("victim", "of somebody else\n");
  fs::create_symlink(path("victim"), path("linked.part"));
  const std::string bad = "a\tA\nno tab\n";
  for (const std::string name : {"out", "linked"}) {
    const Outcome early = run_regard({"score", "-m", model_, "-o", path(name)}, {.input = bad});
    EXPECT_EQ(early.code, 3) << early.err;
    const std::string mark = "what was done is in ", told = lines_of(early.err)[0];
    ASSERT_TRUE(says(told, mark + path(name) + ".part-"));
    const fs::path part = told.substr(told.find(mark) + mark.size());
    EXPECT_EQ(lines_of(folder_.read(part.filename())).size(), 1u);
  }
  EXPECT_EQ(folder_.read("out.part"), "of an earlier run\n");
  EXPECT_EQ(folder_.read("victim"), "of somebody else\n");
}

TEST_F(OneFile, WhatAppearedMeanwhileStays) {  // covers CL2
  ASSERT_EQ(mkfifo(path("in").c_str(), 0600), 0);
  const std::vector<std::string> command{"translate", "-m", model_,      "-i",
                                         path("in"),  "-o", path("out"), "--interactive"};
  Running first(command, path("said"));
  const int writer = open(path("in").c_str(), O_WRONLY);
  ASSERT_EQ(::write(writer, "a b\n", 4), 4);
  ASSERT_TRUE(wait_for([&] { return !folder_.read("out.part").empty(); }));
  const Outcome second =
      run_regard({"translate", "-m", model_, "-o", path("out")}, {.input = "c\n"});
  EXPECT_EQ(second.code, 0) << second.err;
  const std::string written = folder_.read("out");
  close(writer);
  EXPECT_EQ(first.wait(), 4);
  EXPECT_EQ(folder_.read("out"), written);
  EXPECT_TRUE(says(folder_.read("said"), "meanwhile; what was done is in " + path("out.part")));
  EXPECT_EQ(lines_of(folder_.read("out.part")).size(), 1u);
}

TEST_F(OneFile, NoOutputIsAFileOfTheModel) {
  const std::string weights = model_ + "/model.safetensors";
  fs::create_symlink(weights, path("link"));
  fs::create_hard_link(weights, path("hard"));
  fs::create_directory_symlink(model_, path("other"));
  folder_.write("m/metrics.jsonl", "{}\n");
  for (const std::string& out : {weights, path("link"), path("hard"), path("other/config.json"),
                                 model_ + "/source.tokens"}) {
    expect_refused({"translate", "-m", model_, "-o", out, "--overwrite"});
    expect_refused({"score", "-m", model_, "-o", out, "--overwrite"});
    expect_refused({"inspect", "-m", model_, "--trace", out, "--overwrite", "a"});
    expect_refused({"positions", "-m", model_, "--svg", out, "--overwrite"});
  }
  expect_refused({"inspect", "-m", model_, "--html", path("m/metrics.jsonl"), "--overwrite", "a"});
}

TEST_F(OneFile, NoOutputIsASettingsFile) {
  const std::string config = folder_.write("c.toml", "[decode]\nbeam = 1\n");
  expect_refused({"translate", "-m", model_, "--config", config, "-o", config, "--overwrite"});
}

TEST_F(OneFile, StandardInputMayBeAFileToo) {
  folder_.write("in", "a\tA\n");
  for (const std::string command : {"translate", "score"})
    for (const std::string option : {"-o", "--log-file"}) {
      const std::string line = std::string(REGARD_PROGRAM) + " " + command + " -m " + model_ + " " +
                               option + " " + path("in") + (option == "-o" ? " --overwrite" : "") +
                               " <" + path("in") + " >" + path("said") + " 2>&1";
      EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 2) << folder_.read("said");
      EXPECT_EQ(folder_.read("in"), "a\tA\n");
    }
}

TEST_F(OneFile, TheLogIsNoneOfTheOthers) {
  const std::string in = folder_.write("in", "a\tA\n"), matrix = folder_.write("q.csv", "1,2\n");
  const std::string config = folder_.write("c.toml", "");
  fs::create_hard_link(in, path("hard"));
  fs::create_symlink(in, path("link"));
  for (const std::string& log :
       {in, path("hard"), path("link"), path("out"), config, model_ + "/config.json",
        model_ + "/target.tokens", model_ + "/metrics.jsonl"})
    expect_refused({"translate", "-m", model_, "-i", in, "-o", path("out"), "--config", config,
                    "--log-file", log});
  expect_refused({"score", "-m", model_, "-i", in, "--log-file", in});
  expect_refused({"evaluate", "--ref", in, "--hyp", in, "--log-file", in});
  expect_refused({"vocab", "--input", in, "--out", path("v"), "--log-file", path("v")});
  expect_refused({"corpus", in, "--check", "--log-file", in});
  expect_refused({"attend", "--query", matrix, "--log-file", matrix});
  expect_refused({"attend", "--query", "1", "--mask", matrix, "--log-file", matrix});
  expect_refused({"info", model_, "--log-file", model_ + "/config.json"});
  // A log in the folder of a model is nobody else's file.
  const Outcome fine =
      run_regard({"translate", "-m", model_, "-i", in, "--log-file", model_ + "/a.log"});
  EXPECT_EQ(fine.code, 0) << fine.err;
}

TEST(OneFileOfARun, IsNeitherItsTextNorTheLog) {
  const MicroTraining training;
  const Folder& folder = training.folder;
  ASSERT_EQ(training.train("run", {"--steps", "2"}).code, 0);
  fs::create_hard_link(folder.path("run/metrics.jsonl"), folder.path("text.json"));
  const auto expect_refused = [&](const std::vector<std::string>& arguments) {
    const auto before = testing::files_of(folder.path());
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments.back() << outcome.err;
    EXPECT_TRUE(testing::files_of(folder.path()) == before) << arguments.back();
  };
  const std::string run = training.run("run"), config = folder.path("micro.toml");
  for (const char* name : {"run/metrics.jsonl", "text.json", "run/recipe.toml", "run/lock"})
    expect_refused({"train", "--model", run, "--config", config, "--force", "--train",
                    folder.path("text.en"), folder.path(name)});
  // The recipe alone names the text.
  expect_refused({"train", "--model", run, "--steps", "4", "--log-file", folder.path("text.en")});
  expect_refused({"train", "--model", run, "--steps", "4", "--log-file", run + "/metrics.jsonl"});
  expect_refused({"train", "--model", run, "--steps", "4", "--log-file", run + "/best/new.log"});
  expect_refused({"train", "--model", run, "--steps", "4", "--log-file",
                  run + "/checkpoints/ckpt-2/progress.json"});
}

}  // namespace
}  // namespace regard
