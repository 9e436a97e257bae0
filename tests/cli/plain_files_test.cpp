// Files named without an option, and --json of every command.
#include <gtest/gtest.h>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

void expect_says(const Outcome& outcome, const std::string& text) {
  EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.code, 2) << outcome.err;
}

TEST(PlainFiles, TranslateReadsTheFileAfterIt) {
  const Folder folder;
  const std::string model = write_small_model(folder), text = folder.write("s.txt", "a b\nc\n");
  const Outcome named = run_regard({"translate", "-m", model, text});
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_EQ(lines_of(named.out).size(), 2u);
  EXPECT_EQ(named.out, run_regard({"translate", "-m", model, "-i", text}).out);
  EXPECT_EQ(named.out, run_regard({"translate", text, "-m", model}).out);
  expect_says(run_regard({"translate", "-m", model, text, "-i", text}), "named twice");
  EXPECT_EQ(run_regard({"translate", "-m", model, text, "-o", text, "--overwrite"}).code, 2);
}

TEST(PlainFiles, TranslateTellsHowToGiveItAText) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string hint = "to translate a text, pipe it: echo ";
  const Outcome text = run_regard({"translate", "-m", model, "The cat sleeps."});
  EXPECT_EQ(text.code, 3);
  EXPECT_NE(text.err.find("The cat sleeps.: cannot open: "), std::string::npos) << text.err;
  const std::string piped = hint + "'The cat sleeps.' | regard translate";
  EXPECT_NE(text.err.find(piped + " --model " + model + "\n"), std::string::npos) << text.err;
  const Outcome shipped = run_regard({"translate", "The cat sleeps."});
  EXPECT_NE(shipped.err.find(piped + "\n"), std::string::npos) << shipped.err;
  const std::string too_long(300, 'a');  // for the name of a file
  EXPECT_NE(run_regard({"translate", "-m", model, "I " + too_long}).err.find(hint),
            std::string::npos);
  const Outcome file = run_regard({"translate", "-m", model, folder.path("absent")});
  EXPECT_EQ(file.code, 3);
  EXPECT_EQ(file.err.find(hint), std::string::npos) << file.err;
  EXPECT_EQ(run_regard({"translate", "-m", model, folder.write("my text", "a b\n")}).code, 0);
}

TEST(PlainFiles, ScoreReadsPairsOrTwoFiles) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string pairs = folder.write("pairs", "a b\tA\nc\tB C\n"),
                    source = folder.write("src", "a b\nc\n"),
                    target = folder.write("tgt", "A\nB C\n");
  const Outcome one = run_regard({"score", "-m", model, pairs});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(lines_of(one.out).size(), 2u);
  EXPECT_EQ(run_regard({"score", "-m", model, "-i", pairs}).out, one.out);
  EXPECT_EQ(run_regard({"score", "-m", model, source, target}).out, one.out);
  const std::string shorter = folder.write("short", "A\n");
  const Outcome fewer = run_regard({"score", "-m", model, source, shorter});
  EXPECT_EQ(fewer.code, 3);
  EXPECT_EQ(fewer.out, lines_of(one.out)[0] + "\n");
  EXPECT_NE(fewer.err.find("fewer lines"), std::string::npos) << fewer.err;
  const Outcome more = run_regard({"score", "-m", model, shorter, target});
  EXPECT_EQ(more.code, 3);
  EXPECT_NE(more.err.find("more lines"), std::string::npos) << more.err;
  expect_says(run_regard({"score", "-m", model, source, target, pairs}), "one file or two");
}

TEST(PlainFiles, VocabShowsTrainsAndEncodesThem) {
  const Folder folder;
  const std::string text = folder.write("t", "a b a b c c\n"), out = folder.path("v.tokens");
  EXPECT_EQ(run_regard({"vocab", text, "--type", "words", "--out", out}).code, 0);
  EXPECT_EQ(run_regard({"vocab", out}).out, run_regard({"vocab", "--show", out}).out);
  const std::string said = run_regard({"vocab", "--encode", out}, {.input = "a b a b c c\n"}).out;
  EXPECT_EQ(run_regard({"vocab", "--encode", out, text}).out, said);
  EXPECT_EQ(run_regard({"vocab", "--encode", out, "-i", text}).out, said);
  const Outcome plain = run_regard({"vocab", text});
  EXPECT_EQ(plain.code, 3);
  EXPECT_NE(plain.err.find("not a vocabulary; to train one from text: regard vocab"),
            std::string::npos)
      << plain.err;
  expect_says(run_regard({"vocab", "--encode", out, text, text}), "one text at a time");
  expect_says(run_regard({"vocab", text, text}), "needs --out");
  expect_says(run_regard({"vocab", "--encode", "-i", text}),
              "--encode needs a value, and '-i' is an option");
}

TEST(PlainFiles, JsonGoesToStandardOutputInEveryCommand) {
  const Folder folder;
  const std::string model = write_small_model(folder), text = folder.write("t", "a b\n");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"translate", "-m", model, text},
           {"score", "-m", model, text, text},
           {"evaluate", text, text},
           {"info", model},
           {"inspect", "-m", model, "a b"},
           {"positions", "-m", model},
           {"vocab", text, "--type", "words", "--min-frequency", "1", "--out", folder.path("v")},
           {"vocab", "--encode", model + "/source.tokens", text},
           {"vocab", "--decode", model + "/source.tokens", text},
           {"corpus", text, text},
           {"corpus", "builtin:en-fr", "--pairs", "1"},
           {"attend", "--query", "1,2;3,4"},
           {"convert", model, "--to", "int8", "--out", folder.path("int8")},
           {"average", "-m", model, model + "/model.safetensors", "--out", folder.path("mean")},
           {"version"}}) {
    std::vector<std::string> with = arguments;
    with.emplace_back("--json");
    const Outcome outcome = run_regard(with);
    ASSERT_EQ(outcome.code, 0) << arguments.front() << outcome.err;
    EXPECT_EQ(outcome.json()["schema"], 1) << arguments.front();
    EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1) << arguments.front();
  }
  expect_says(run_regard({"train", "--dump-config", "--json"}), "--dump-config prints TOML");
  EXPECT_NE(run_regard({"positions", "--help"}).out.find("base64"), std::string::npos);
  expect_says(run_regard({"inspect", "-m", model, "--json", "out.json", "a b"}), "--trace FILE");
  const std::string trace = folder.path("trace.json");
  EXPECT_EQ(run_regard({"inspect", "-m", model, "--trace", trace, "a b"}).code, 0);
  EXPECT_EQ(nlohmann::json::parse(folder.read("trace.json"))["source"]["text"], "a b");
}

TEST(PlainFiles, UnknownValuesAreAnsweredWithTheKnownOnes) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  expect_says(run_regard({"attend", "--query", "1", "--score", "foo"}), "'foo'; known: additive, ");
  expect_says(run_regard({"completion", "tcsh"}), "? known: bash, zsh, fish");
  expect_says(run_regard({"positions", "--scheme", "sinusoid"}),
              "did you mean 'sinusoidal'? known: ");
  expect_says(run_regard({"positions"}), "--scheme NAME: alibi, ");
  expect_says(run_regard({"convert", model, "--to", "int4", "--out", "x"}),
              "no form of a model is called 'int4'; did you mean 'int8'? known: ");
  const Outcome kind = run_regard({"inspect", "-m", model, "--kind", "foo", "a"});
  expect_says(kind, "--kind is 'foo'; known: encoder, decoder, cross");
  EXPECT_EQ(kind.err.find("encoder"), kind.err.rfind("encoder")) << kind.err;
}

}  // namespace
}  // namespace regard
