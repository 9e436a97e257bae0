// What would destroy something or makes no sense is refused before any work is done: before the
// model is even looked for, so that none of the models named here needs to exist.
#include <gtest/gtest.h>

#include <functional>

#include "tests/cli/fault_program.h"

namespace regard::testing {
namespace {

using Words = std::vector<std::string>;

/// A command that reads `in` and writes `out`.
struct Writer {
  std::string name;
  std::function<Words(const std::string& in, const std::string& out)> arguments;
};

const std::vector<Writer> kWriters{
    {"translate",
     [](const auto& in, const auto& out) {
       return Words{"translate", "-m", "none", "-i", in, "-o", out};
     }},
    {"score", [](const auto& in,
                 const auto& out) { return Words{"score", "-m", "none", "-i", in, "-o", out}; }},
    {"vocab",
     [](const auto& in, const auto& out) {
       return Words{"vocab", "--input", in, "--type", "words", "--out", out};
     }},
    {"inspect",
     [](const auto&, const auto& out) {
       return Words{"inspect", "-m", "none", "--svg", out, "a b"};
     }},
    {"attend",
     [](const auto& in, const auto& out) {
       return Words{"attend", "--query", in, "--svg", out};
     }},
};

class Refused : public ::testing::Test {
 protected:
  Folder folder_;
  const std::string in_ = folder_.write("in", "1,2\n3,4\n"), out_ = folder_.path("out");

  void expect_refused(const Words& arguments) {
    const auto before = tree_of(folder_.path());
    const Outcome outcome = run_regard(arguments, {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 2) << ::testing::PrintToString(arguments) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("regard: error: ")) << outcome.err;
    EXPECT_EQ(tree_of(folder_.path()), before) << ::testing::PrintToString(arguments);
  }
};

TEST_F(Refused, AnOutputThatIsThere) {  // covers CL2
  folder_.write("out", "old");
  std::filesystem::create_directories(folder_.path("d"));
  folder_.write("d/train.fr", "ancien");
  for (const Writer& writer : kWriters) expect_refused(writer.arguments(in_, out_));
  expect_refused({"corpus", "builtin:en-fr", "--pairs", "3", "--out", "d"});
}

TEST_F(Refused, AnOutputThatIsTheInput) {  // covers CL2
  std::filesystem::create_symlink(in_, folder_.path("link"));
  std::filesystem::create_hard_link(in_, folder_.path("second"));
  for (const Writer& writer : kWriters) {
    if (writer.name == "inspect") continue;  // it reads no file of the user's
    for (const char* out : {"in", "./in", "link", "second"}) {
      Words arguments = writer.arguments(in_, out);
      arguments.push_back("--overwrite");
      expect_refused(arguments);
    }
  }
}

TEST_F(Refused, OptionsThatContradictEachOther) {  // covers CL2
  for (const Words& arguments : std::vector<Words>{
           {"translate", "-m", "none", "--temperature", "0.5", "-i", in_, "-o", out_},
           {"inspect", "-m", "none", "--svg", out_, "--png", out_, "a"},
           {"inspect", "-m", "none", "--vectors", "a"},
           {"average", "-m", "none", "--last", "2", in_, "--out", out_},
           {"corpus", "builtin:en-fr", "--check"},
           {"corpus", in_, in_, "--seed", "1"},
           {"vocab", "--input", in_, "--show", in_, "--out", out_},
           {"vocab", "--input", in_, "--type", "bpe", "--lowercase", "--out", out_},
           {"vocab", "--show", in_, "--ids"},
           {"evaluate", "--ref", in_, "--src", in_},
           {"positions", "sinusoidal", "-m", "none"},
       })
    expect_refused(arguments);
}

}  // namespace
}  // namespace regard::testing
