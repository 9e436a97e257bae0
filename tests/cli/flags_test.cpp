// A flag is held to what its setting is held to, and an error knows its lines and its place.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

/// Every section that a config file may have.
constexpr const char* kAllSections = R"([data]
max_tokens = 128
[vocab]
size = 500
[model]
d_model = 32
[train]
steps = 5
[decode]
n_best = 3
[serve]
port = 0
)";

TEST(Flags, OfTrainAreHeldToTheirSettings) {  // covers CL9
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  for (const Case& c :
       std::vector<Case>{{{"--arch", "transfromer"}, "--arch is 'transfromer', expected one of "},
                         {{"--arch", "transfromer"}, "did you mean 'transformer'?"},
                         {{"--from", "\xff"}, "--from is '"},
                         {{"--to", "f\xfer"}, "expected a text in UTF-8"},
                         {{"--train", "\xff", "b"}, "--train: the name '"},
                         {{"--valid", "a", "\xc3"}, "recipe.toml can keep no other"},
                         {{"--epochs", "2M"}, "--epochs is '2000000', expected a whole number"},
                         {{"--batch-tokens", "many"}, "--batch-tokens is 'many', expected "},
                         {{"--device", "cuda"}, "this build has no device 'cuda'"}}) {
    std::vector<std::string> arguments{"train", "--dump-config"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, 2) << c.message << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(c.message), std::string::npos) << outcome.err;
  }
  const Outcome good =
      run_regard({"train", "--dump-config", "--arch", "bahdanau", "--from", "é=x", "--steps", "7",
                  "--train", "a=b.en", "c.fr", "--batch-tokens", "4k", "--device", "cpu"});
  ASSERT_EQ(good.code, 0) << good.err;
  for (const char* line :
       {"architecture = \"bahdanau\"  # --arch\n", "from = \"é=x\"  # --from\n",
        "train_source = \"a=b.en\"  # --train\n", "train_target = \"c.fr\"  # --train\n",
        "steps = 7  # --steps\n", "batch_tokens = 4000  # --batch-tokens\n"})
    EXPECT_NE(good.out.find(line), std::string::npos) << line << good.out;
}

TEST(Flags, AnyNameOfAFileCanBeTold) {
  const Folder folder;
  const std::string text = folder.write("text", "a b c\na b\n"), odd = folder.path("\xff.tokens");
  const Outcome learned =
      run_regard({"vocab", "--input", text, "--type", "words", "--out", odd, "--json", "--joint"});
  EXPECT_EQ(learned.code, 0) << learned.err;
  EXPECT_EQ(learned.json()["type"], "words");
  EXPECT_TRUE(std::filesystem::exists(odd));
}

TEST(Flags, JointIsWhatAVocabularyIsAnyway) {
  const Folder folder;
  const std::string one = folder.write("one", "a b\na b\n"), two = folder.write("two", "c\nc\n");
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--joint"}}) {
    std::vector<std::string> all{"vocab", "--input", one, two, "--type", "words", "--out"};
    all.push_back(folder.path(more.empty() ? "plain" : "joint"));
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_EQ(run_regard(all).code, 0);
  }
  EXPECT_EQ(folder.read("plain"), folder.read("joint"));
  EXPECT_NE(folder.read("joint").find("\nc\n"), std::string::npos);
  EXPECT_EQ(run_regard({"vocab", "--show", folder.path("joint"), "--joint"}).code, 2);
}

TEST(Flags, OneConfigServesEveryCommand) {
  const Folder folder;
  const std::string model = write_small_model(folder), all = folder.write("all.toml", kAllSections);
  const Outcome train = run_regard({"train", "--dump-config", "--config", all});
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_NE(train.out.find("steps = 5  # " + all), std::string::npos) << train.out;
  const Outcome serve = run_regard({"serve", "--config", all, "--model", folder.path("none")});
  EXPECT_EQ(serve.code, 3) << serve.err;  // the file is right, and the model is missing

  const auto lines = [&](const std::vector<std::string>& more, const testing::Surroundings& given) {
    std::vector<std::string> arguments{"translate", "-m", model, "--config", all};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return lines_of(run_regard(arguments, given).out).size();
  };
  EXPECT_EQ(lines({}, {.input = "a b\n"}), 3u);
  const testing::Surroundings two{.input = "a b\n", .environment = {{"REGARD_DECODE_N_BEST", "2"}}};
  EXPECT_EQ(lines({}, two), 2u);
  EXPECT_EQ(lines({"--n-best", "4"}, two), 4u);

  const std::string wrong = folder.write("wrong.toml", "[decode]\nbaem = 2\n[serv]\nport = 1\n");
  const Outcome bad = run_regard({"translate", "-m", model, "--config", wrong}, {.input = "a\n"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find(wrong + ":2:1: unknown key 'baem' in [decode]; did you mean 'beam'?"),
            std::string::npos)
      << bad.err;
  EXPECT_NE(bad.err.find("unknown section [serv]; did you mean 'serve'?"), std::string::npos)
      << bad.err;
}

TEST(Errors, HaveALineForEachMistake) {
  const Folder folder;
  const std::string bad = folder.write("bad.toml", "[model]\nd-modle = 16\n[train]\nstep = 4\n");
  const Outcome outcome = run_regard({"train", "--json", "--config", bad});
  EXPECT_EQ(outcome.code, 2);
  const std::vector<std::string> said = lines_of(outcome.err);
  ASSERT_EQ(said.size(), 2u) << outcome.err;
  EXPECT_TRUE(said[0].starts_with("regard: error: " + bad + ":2:1: ")) << said[0];
  EXPECT_TRUE(said[1].starts_with("  " + bad + ":4:1: ")) << said[1];

  ASSERT_EQ(lines_of(outcome.out).size(), 1u) << outcome.out;
  const auto error = outcome.json()["error"];
  EXPECT_EQ(error["file"], bad);
  EXPECT_EQ(error["line"], 2);
  EXPECT_TRUE(error["hint"].is_null());
  for (const char* key : {"'d_model'?", "'steps'?"})
    EXPECT_NE(error["message"].get<std::string>().find(key), std::string::npos) << error;
}

TEST(Errors, NoLineOfAFilesNamePassesForOurs) {
  const Outcome outcome =
      run_regard({"attend", "--query", "/none\nregard: error: all is well\x1b[0m/x.csv"});
  EXPECT_EQ(outcome.code, 3);
  const std::vector<std::string> said = lines_of(outcome.err);
  ASSERT_EQ(said.size(), 2u) << outcome.err;
  EXPECT_TRUE(said[1].starts_with("  regard: error: all is well")) << said[1];
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << outcome.err;
}

TEST(Errors, KnowTheirPlace) {
  const Folder folder;
  const std::string model = write_small_model(folder), absent = folder.path("absent");
  const std::string tsv = folder.write("bad.tsv", "a\tA\nno tab\n");
  const std::string wide = folder.write("wide.tsv", "\xff\xfe a");
  const std::string broken = folder.write("broken.toml", "[train]\n\nsteps = \n");
  const auto error = [](std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    return run_regard(arguments, {.input = "a\n"}).json()["error"];
  };
  struct Case {
    std::vector<std::string> arguments;
    std::string file;
    int line;  ///< 0: none
  };
  for (const Case& c : std::vector<Case>{{{"corpus", tsv, "--on-bad-line", "stop"}, tsv, 2},
                                         {{"corpus", wide}, wide, 1},
                                         {{"corpus", absent, tsv}, absent, 0},
                                         {{"train", "--config", broken}, broken, 3},
                                         {{"train", "--config", absent}, absent, 0},
                                         {{"translate", "-m", absent}, absent, 0},
                                         {{"translate", "-m", model, "-i", absent}, absent, 0}}) {
    const auto told = error(c.arguments);
    EXPECT_EQ(told["file"], c.file) << told;
    EXPECT_EQ(told["line"], c.line > 0 ? nlohmann::json(c.line) : nlohmann::json()) << told;
  }
  folder.write("m/config.json", "{}");
  EXPECT_EQ(error({"translate", "-m", model})["file"], model);
}

TEST(Limits, AreNamed) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  for (const auto& [flag, value, most] :
       std::initializer_list<std::tuple<const char*, const char*, const char*>>{
           {"--n-best", "1048576", "1024"},
           {"--n-best", "1025", "1024"},
           {"--beam", "1025", "1024"},
           {"--seed", "9007199254740993", "9007199254740992"}}) {
    std::vector<std::string> arguments{"translate", "-m", model, flag, value};
    if (std::string(flag) != "--beam") arguments.emplace_back("--sample");
    const Outcome outcome = run_regard(arguments, {.input = "a\n"});
    EXPECT_EQ(outcome.code, 2) << flag << outcome.err;
    EXPECT_NE(outcome.err.find(std::string("to ") + most), std::string::npos) << outcome.err;
  }
}

TEST(Errors, AreCopiedToALogFile) {
  const Folder folder;
  const std::string log = folder.path("log");
  const std::vector<std::string> wrong{"attend", "--query", "1;x", "-v", "--log-file", log};
  const Outcome first = run_regard(wrong);
  EXPECT_EQ(first.code, 2);
  EXPECT_EQ(lines_of(first.err).size(), 2u) << first.err;
  EXPECT_EQ(folder.read("log"), first.err);
  const Outcome second = run_regard(wrong);
  EXPECT_EQ(folder.read("log"), first.err + second.err);
  const Outcome nowhere = run_regard({"version", "--log-file", folder.path("no/such/log")});
  EXPECT_EQ(nowhere.code, 4);
  EXPECT_NE(nowhere.err.find("no/such/log: cannot write"), std::string::npos) << nowhere.err;
}

}  // namespace
}  // namespace regard
