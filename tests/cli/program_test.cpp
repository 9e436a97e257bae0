#include "tests/cli/program.h"

#include <gtest/gtest.h>

#include <csignal>

#include "regard/cli/version.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;

const std::vector<std::string> kPlain{"attend", "--query", "1.5,3,2;1,1,3;1,2,1"};

std::vector<std::string> plain_with(std::initializer_list<std::string> more) {
  std::vector<std::string> all = kPlain;
  all.insert(all.end(), more);
  return all;
}

TEST(Program, HelpsANewcomer) {
  for (const std::vector<std::string>& ask :
       {std::vector<std::string>{"--help"}, {"-h"}, {"help"}}) {
    const Outcome help = run_regard(ask);
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.err, "");
    for (const char* said : {"attend", "--threads", "Examples:", "regard COMMAND --help"})
      EXPECT_NE(help.out.find(said), std::string::npos) << said;
  }
  const Outcome page = run_regard({"attend", "--help"});
  for (const char* said : {"--query", "--valid-lens", "--svg", "MATRIX", ".npy", "-q,", "-j,"})
    EXPECT_NE(page.out.find(said), std::string::npos) << said;
  EXPECT_EQ(run_regard({"help", "attend"}).out, page.out);
  EXPECT_EQ(run_regard({}).code, 2);
}

TEST(Program, KnowsItsVersion) {
  std::ifstream file(std::string(REGARD_SOURCE_DIR) + "/CMakeLists.txt");
  const std::string build((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(build.find("project(regard VERSION " + std::string(kVersion) + " "), std::string::npos);
  EXPECT_EQ(run_regard({"--version"}).out, "regard " + std::string(kVersion) + "\n");
  EXPECT_EQ(run_regard({"version"}).out, "regard " + std::string(kVersion) + "\n");
  EXPECT_EQ(run_regard({"version", "--json"}).json()["version"], kVersion);
}

TEST(Program, HelpsWhateverTheConfigHolds) {  // covers CL11
  const Folder folder;
  const testing::Surroundings broken{.environment = {{"REGARD_TRAIN_STEPS", "many"}}};
  for (const std::string& config :
       {folder.write("bad.toml", "[train\nsteps = many\n"), folder.path("absent.toml")}) {
    EXPECT_NE(run_regard({"train", "--config", config, "--dump-config"}).code, 0);
    const Outcome help = run_regard({"train", "--config", config, "--help"}, broken);
    EXPECT_EQ(help.code, 0) << help.err;
    EXPECT_EQ(help.out, run_regard({"help", "train"}).out);
    const Outcome version = run_regard({"train", "--config", config, "--version"}, broken);
    EXPECT_EQ(version.code, 0) << version.err;
    EXPECT_EQ(version.out, run_regard({"--version"}).out);
  }
}

TEST(Program, SaysWhereAnOptionBelongs) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"--beam", "1", "translate"}, {"--beam=1", "translate"}}) {
    const Outcome refused = run_regard(command);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_NE(refused.err.find("'--beam' is an option of translate; put it after the command"),
              std::string::npos)
        << refused.err;
  }
  const Outcome ended = run_regard({"translate", "--", "x", "--beam=1"});
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_NE(ended.err.find("'--beam=1' stands after --, which ends the options; put it before --"),
            std::string::npos)
      << ended.err;
}

TEST(Program, TwoDashesEndTheOptions) {  // covers CL1
  EXPECT_EQ(run_regard({"--"}).code, 2);
  EXPECT_EQ(run_regard(plain_with({"--"})).out, run_regard(kPlain).out);
  EXPECT_EQ(run_regard({"help", "--", "attend"}).out, run_regard({"help", "attend"}).out);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"attend", "--", "--query", "1,2"}, plain_with({"--", "stray"})}) {
    const Outcome refused = run_regard(command);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_EQ(refused.out, "");
  }
  // A file whose name looks like an option.
  const Folder folder;
  folder.write("-x.en", "a b\n");
  folder.write("-x.de", "A B\n");
  const testing::Surroundings beside{.folder = folder.path()};
  const Outcome read = run_regard({"corpus", "--check", "--", "-x.en", "-x.de"}, beside);
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_EQ(run_regard({"corpus", "--check", "-x.en", "-x.de"}, beside).code, 2);
}

TEST(Program, NamesAMalformedVariableOnlyWhenItMatters) {  // covers CL9, CL11
  for (const auto& [name, value] : {std::pair("REGARD_THREADS", "two"),
                                    {"REGARD_THREADS", "0"},
                                    {"REGARD_THREADS", ""},
                                    {"REGARD_ISA", "sse2"}}) {
    const testing::Surroundings broken{.environment = {{name, value}}};
    const Outcome outcome = run_regard(kPlain, broken);
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_NE(outcome.err.find(name), std::string::npos) << outcome.err;
    EXPECT_EQ(run_regard({"--help"}, broken).code, 0);
    EXPECT_EQ(run_regard({"--version"}, broken).code, 0);
  }
}

TEST(Program,
     TakesKeysFromAFileAlone) {  // covers CL12: everyone on a machine sees its command lines
  const Outcome refused = run_regard({"serve", "--model", "none", "--api-key", "secret-one"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--api-key-file"), refused.err.npos) << refused.err;
  EXPECT_EQ(refused.err.find("secret-one"), refused.err.npos) << refused.err;
}

TEST(Program, SaysTheSameBytesEverywhere) {  // covers CL5, CL6
  for (const std::vector<std::string>& command :
       {kPlain, plain_with({"--json"}), plain_with({"--score", "additive", "--heads", "3"})}) {
    const Outcome first = run_regard(command);
    ASSERT_EQ(first.code, 0) << first.err;
    for (const auto& [name, value] : {std::pair("LC_ALL", "de_DE.UTF-8"),
                                      {"LC_ALL", "C"},
                                      {"LC_ALL", "tr_TR"},
                                      {"LANG", "C.UTF-8"},
                                      {"LC_NUMERIC", "de_DE"},
                                      {"HOME", ""},
                                      {"TMPDIR", "/none"},
                                      {"REGARD_THREADS", "1"},
                                      {"REGARD_THREADS", "2"},
                                      {"REGARD_ISA", "avx2"}})
      EXPECT_EQ(run_regard(command, {.environment = {{name, value}}}).out, first.out)
          << name << "=" << value;
    EXPECT_EQ(run_regard(command, {.unset = {"HOME", "TMPDIR", "PATH"}}).out, first.out);
    std::vector<std::string> threaded{"-j", "2"};
    threaded.insert(threaded.end(), command.begin(), command.end());
    EXPECT_EQ(run_regard(threaded).out, first.out);
  }
}

TEST(Program, NoticesThatOutputIsLost) {  // covers CL4
  for (const std::vector<std::string>& command :
       {kPlain, plain_with({"--json"}), std::vector<std::string>{"--help"}, {"--version"}}) {
    const Outcome full = run_regard(command, {.output_to = "/dev/full"});
    EXPECT_EQ(full.code, 4);
    EXPECT_NE(full.err.find("regard: error: standard output: cannot write"), std::string::npos);
    EXPECT_EQ(run_regard(command, {.output_closed = true}).code, 4);
  }
  const std::string program = REGARD_PROGRAM;
  const Folder folder;
  const std::string script = "{ sleep 0.2; '" + program + "' attend --query 1,2 2>'" +
                             folder.path("err") + "'; echo $? >'" + folder.path("code") +
                             "'; } | true; sleep 0.5";
  ASSERT_EQ(std::system(script.c_str()), 0);
  EXPECT_EQ(folder.read("code"), std::to_string(128 + SIGPIPE) + "\n");
  EXPECT_EQ(folder.read("err"), "");
}

TEST(Program, QuietDropsThePictureAndVerboseNamesTheSource) {
  const std::string all = run_regard(kPlain).out, quiet = run_regard(plain_with({"-q"})).out;
  EXPECT_TRUE(all.starts_with(quiet));
  EXPECT_LT(quiet.size(), all.size());
  EXPECT_NE(quiet.find("weights"), std::string::npos);
  EXPECT_EQ(run_regard({"-q", "attend", "--query", "1.5,3,2;1,1,3;1,2,1"}).out, quiet);
  EXPECT_NE(run_regard({"attend", "--query", "1;x", "-v"}).err.find("separated.cpp:"),
            std::string::npos);
}

}  // namespace
}  // namespace regard
