// What a run notes of itself, where it can be resumed from, and which way it translates.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::has_saved;
using testing::MicroTraining;
using testing::Outcome;
using testing::run_regard;
using testing::Running;
using testing::says;

std::string state_of(const MicroTraining& training, const std::string& run) {
  return nlohmann::json::parse(training.folder.read(run + "/state.json"))["state"];
}

nlohmann::json total_steps(const MicroTraining& training, const std::string& run) {
  return nlohmann::json::parse(training.folder.read(run + "/state.json"))["total_steps"];
}

TEST(TrainRun, NotesHowItStands) {
  const MicroTraining training;
  {
    Running long_run(training.arguments("run", {"--steps", "100000"}));
    ASSERT_TRUE(has_saved(training, "run"));
    EXPECT_EQ(state_of(training, "run"), "running");
    EXPECT_EQ(total_steps(training, "run"), 100000);
    long_run.send(SIGTERM);
    EXPECT_EQ(long_run.wait(), 128 + SIGTERM);
  }
  EXPECT_EQ(state_of(training, "run"), "stopped");
  EXPECT_EQ(training.train("run", {"--steps", "100"}).code, 0);
  EXPECT_EQ(state_of(training, "run"), "finished");
  EXPECT_EQ(total_steps(training, "run"), 100);
  const Outcome diverged =
      training.train("wild", {"--set", "train.optimiser=sgd", "--learning-rate", "1000", "--set",
                              "train.clip_norm=0", "--set", "train.warmup=0", "--steps", "1000"});
  EXPECT_EQ(diverged.code, 6) << diverged.err;
  EXPECT_EQ(state_of(training, "wild"), "diverged");
}

TEST(TrainRun, IsResumedFromAnyFolder) {
  const MicroTraining training;
  const std::string here = training.folder.path();
  const Outcome begun = run_regard({"train", "--train", "text.en", "./text.fr", "--config",
                                    "micro.toml", "--model", "run", "--steps", "8"},
                                   {.folder = here});
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_TRUE(says(training.folder.read("run/recipe.toml"),
                   "train_source = \"" + training.folder.path("text.en") + "\""));
  const Outcome resumed =
      run_regard({"train", "--model", training.run("run"), "--steps", "16"}, {.folder = "/"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  // The same files by other names are no other settings.
  const Outcome named = run_regard(
      {"train", "--train", "sub/../text.en", "text.fr", "--model", "run", "--steps", "20"},
      {.folder = here});
  EXPECT_EQ(named.code, 0) << named.err;
}

TEST(TrainRun, HasFailedIfItsCurvesCannotBeWritten) {
  const MicroTraining training;
  const std::string curves = training.run("run") + "/curves.svg",
                    state = training.run("run") + "/state.json";
  std::jthread blocker([&](const std::stop_token& over) {
    while (!over.stop_requested() && !std::filesystem::exists(state))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::error_code ignored;
    std::filesystem::create_directory(curves, ignored);
  });
  const Outcome failed = training.train("run", {"--steps", "200"});
  blocker.request_stop();
  blocker.join();
  EXPECT_EQ(failed.code, 4) << failed.err;
  EXPECT_EQ(state_of(training, "run"), "failed");
  std::filesystem::remove(curves);
  EXPECT_EQ(training.train("run", {"--steps", "200"}).code, 0);
  EXPECT_EQ(state_of(training, "run"), "finished");
}

TEST(TrainRun, SaysThatAFolderIsNoRun) {
  const MicroTraining training;
  const Outcome mistyped = run_regard({"train", "--model", training.run("rnu")});
  EXPECT_EQ(mistyped.code, 2);
  EXPECT_TRUE(says(mistyped.err, "rnu is no run to resume; to start one, give --train"));
}

TEST(TrainRun, EndsWithCommandsToCopy) {
  const MicroTraining training;
  const Outcome trained = training.train("run", {"--steps", "4"});
  const std::string program = REGARD_PROGRAM;
  EXPECT_TRUE(says(trained.err, program + " translate --model " + training.run("run") + "\n"));
  EXPECT_TRUE(says(trained.err, program + " serve --model " + training.run("run") + " --open\n"));
  const Outcome odd = training.train("it's mine", {"--steps", "4"});
  EXPECT_TRUE(
      says(odd.err, "serve --model '" + training.folder.path("it'\\''s mine") + "' --open"));
}

TEST(TrainRun, TakesTheKindOfAVocabularyFromOlderSettings) {
  const MicroTraining training;
  const auto is = [&](const std::string& type, const std::string& lines,
                      const std::vector<std::string>& more = {}) {
    const std::string path = training.folder.write("old.toml", "[vocab]\n" + lines);
    std::vector<std::string> arguments{"train", "--dump-config", "--config", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome dumped = run_regard(arguments);
    EXPECT_FALSE(says(dumped.out, "\nkind = "));
    return says(dumped.out, "type = \"" + type + "\"  # ");
  };
  EXPECT_TRUE(is("words", "kind = \"words\"\ntype = \"bpe\"\n"));
  EXPECT_TRUE(is("unigram", "kind = \"subwords\"\ntype = \"unigram\"\n"));
  EXPECT_TRUE(is("bpe", "kind = \"subwords\"\n", {"--train", "builtin:en-fr"}));
  EXPECT_TRUE(is("words", "", {"--train", "builtin:en-fr"}));
  EXPECT_TRUE(is("words", "", {"--set", "vocab.kind=words"}));
  EXPECT_TRUE(is("words", "kind = \"subwords\"\n", {"--set", "vocab.type=words"}));
  EXPECT_TRUE(is("unigram", "kind = \"words\"\n", {"--set", "vocab.type=unigram"}));
}

TEST(TrainRun, TakesLanguagesFromTheNamesOfItsFiles) {
  const MicroTraining training;
  const auto dumped = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"train", "--dump-config"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_regard(arguments).out;
  };
  const std::string named = dumped({"--train", "a/x.en", "b/x.de.gz"});
  EXPECT_TRUE(says(named, "from = \"en\"  # the ending of the file\n"));
  EXPECT_TRUE(says(named, "to = \"de\"  # the ending of the file\n"));
  EXPECT_TRUE(says(dumped({"--train", "x.en", "x.de", "--from", "nl"}), "from = \"nl\"  # --from"));
  const Outcome swapped = run_regard(
      {"train", "--dump-config", "--train", "x.fr", "x.en", "--from", "en", "--to", "fr"});
  EXPECT_TRUE(says(swapped.err, "x.fr is named as fr, but data.from is en"));
  const std::string unnamed = dumped({"--train", "x.src", "x.txt"});
  EXPECT_TRUE(says(unnamed, "#from = \"\"  # default\n"));
  const std::string source = training.folder.write("s", training.folder.read("text.en")),
                    target = training.folder.write("t", training.folder.read("text.fr")),
                    config = training.folder.path("micro.toml");
  const Outcome warned = run_regard({"train", "--train", source, target, "--config", config,
                                     "--model", training.run("run"), "--steps", "2"});
  EXPECT_EQ(warned.code, 0) << warned.err;
  EXPECT_TRUE(says(warned.err, "warning: source and target language unknown; set --from and --to"));
}

TEST(TrainRun, TurnsTheBuiltInCorpusRound) {
  const MicroTraining training;
  const std::vector<std::string> common{"--config", training.folder.path("micro.toml"),
                                        "--set",    "data.builtin_pairs=40",
                                        "--steps",  "2"};
  const auto train = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"train", "--train", "builtin:en-fr"});
    arguments.insert(arguments.end(), common.begin(), common.end());
    return run_regard(arguments);
  };
  const Outcome reversed = train({"--model", training.run("back"), "--from", "fr", "--to", "en"});
  ASSERT_EQ(reversed.code, 0) << reversed.err;
  ASSERT_EQ(train({"--model", training.run("there")}).code, 0);
  EXPECT_EQ(training.folder.read("back/source.tokens"),
            training.folder.read("there/target.tokens"));
  EXPECT_EQ(training.folder.read("back/target.tokens"),
            training.folder.read("there/source.tokens"));
  const auto info = nlohmann::json::parse(training.folder.read("back/config.json"));
  EXPECT_EQ(info["from"], "fr");
  EXPECT_EQ(info["to"], "en");
  const Outcome half = train({"--model", training.run("half"), "--from", "fr"});
  EXPECT_EQ(half.code, 0) << half.err;
  EXPECT_EQ(nlohmann::json::parse(training.folder.read("half/config.json"))["to"], "en");
  const Outcome refused = train({"--model", training.run("no"), "--from", "de", "--to", "en"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(says(refused.err, "builtin:en-fr cannot train from 'de' to 'en'; name en and fr"));
}

TEST(TrainRun, WarnsWhereItValidatesOnItsTrainingText) {
  const MicroTraining training;
  const std::string source = training.folder.write("few.en", "a cat .\na dog .\n"),
                    target = training.folder.write("few.fr", "un chat .\nun chien .\n");
  const Outcome tiny = run_regard({"train", "--train", source, target, "--config",
                                   training.folder.path("micro.toml"), "--model",
                                   training.run("run"), "--steps", "2"});
  EXPECT_EQ(tiny.code, 0) << tiny.err;
  EXPECT_TRUE(says(tiny.err, "only 2 training pairs: they are the validation set too"));
  EXPECT_TRUE(says(tiny.err, "name a validation set with --valid"));
}

TEST(TrainRun, HasFlagsForCommonSettingsAndDumpsTheRest) {
  const Outcome dumped = run_regard({"train", "--dump-config", "--learning-rate", "0.002",
                                     "--dropout", "0.25", "--vocab-size", "4k"},
                                    {.environment = {{"REGARD_DECODE_BEAM", "7"}}});
  ASSERT_EQ(dumped.code, 0) << dumped.err;
  for (const char* line :
       {"learning_rate = 0.002  # --learning-rate\n", "dropout = 0.25  # --dropout\n",
        "size = 4000  # --vocab-size\n",
        "# maximum size of a vocabulary, in tokens\nsize = ", "\n[decode]\n",
        "\nbeam = 7  # REGARD_DECODE_BEAM\n", "\n[serve]\n", "\n#port = 5000  # default\n"})
    EXPECT_TRUE(says(dumped.out, line));
}

TEST(TrainRun, WhatFollowsFromOtherSettingsStillDoesWithADumpedConfig) {
  const MicroTraining training;
  const std::string config =
      training.folder.write("my.toml", run_regard({"train", "--dump-config"}).out);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--train", "c.en", "c.fr"},
                                             {"--train", "builtin:en-fr"},
                                             {"--train", "builtin:en-fr", "--from", "fr"},
                                             {"--arch", "bahdanau"},
                                             {"--preset", "tiny"},
                                             {"--steps", "7"}}) {
    std::vector<std::string> plain{"train", "--dump-config"};
    plain.insert(plain.end(), more.begin(), more.end());
    std::vector<std::string> dumped = plain;
    dumped.insert(dumped.end(), {"--config", config});
    const Outcome outcome = run_regard(dumped);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out, run_regard(plain).out);
  }
  const std::string empty = training.folder.write("empty.toml", "[data]\nfrom = \"\"\nto = \"\"\n");
  const Outcome named =
      run_regard({"train", "--dump-config", "--train", "c.en", "c.fr", "--config", empty});
  EXPECT_EQ(named.err, "");
  EXPECT_TRUE(says(named.out, "from = \"en\"  # the ending of the file\n"));
}

}  // namespace
}  // namespace regard
