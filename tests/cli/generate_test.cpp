// What a model of architecture language writes, and what it refuses to go on from.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/cli/micro_training.h"
#include "tests/cli/support/writer.h"

namespace regard {
namespace {

using Json = nlohmann::json;
using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::printed;
using testing::run_regard;
using testing::says;
using testing::write_small_model;
using testing::write_writer;

TEST(Generate, ContinuesThePrompt) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const std::string text = printed({"generate", "-m", writer, "-p", "the black cat"});
  EXPECT_EQ(text.find("the black cat "), 0u) << text;
  EXPECT_EQ(lines_of(text).size(), 1u);
  EXPECT_EQ(text, printed({"generate", "-m", writer, "-p", "the black cat", "-j", "3"}));
}

TEST(Generate, DrawsTheSameAgainByTheSeedAlone) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const auto draw = [&](const std::string& seed) {
    return printed({"generate", "-m", writer, "-p", "a b", "--sample", "--seed", seed});
  };
  EXPECT_EQ(draw("3"), draw("3"));
  EXPECT_NE(draw("3"), draw("4"));
}

TEST(Generate, GivesALineForEachPromptAloneAsAmongOthers) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const std::vector<std::string> prompts{"a", "the black cat", "b c d e f g"};
  folder.write("prompts", "a\nthe black cat\nb c d e f g\n");
  const std::vector<std::string> lines =
      lines_of(printed({"generate", "-m", writer, "-i", folder.path("prompts")}));
  ASSERT_EQ(lines.size(), prompts.size());
  for (std::size_t i = 0; i < prompts.size(); ++i)
    EXPECT_EQ(lines[i] + "\n", printed({"generate", "-m", writer, "-p", prompts[i]}));
}

/// What it says of its own text is what `score` finds in it.
TEST(Generate, SaysTheProbabilitiesThatScoreFinds) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const Json said = Json::parse(
      printed({"generate", "-m", writer, "-p", "the black", "--json", "--max-length", "9"}));
  EXPECT_EQ(said["prompt"], "the black");
  EXPECT_EQ(said["prompt_tokens"], 2);
  const Outcome scored = run_regard({"score", "-m", writer, "--json", "--per-token"},
                                    {.input = said["text"].get<std::string>() + "\n"});
  ASSERT_EQ(scored.code, 0) << scored.err;
  const Json found = Json::parse(scored.out);
  const auto &by_writer = said["token_log_probabilities"],
             &by_score = found["token_log_probabilities"];
  ASSERT_LE(by_writer.size(), by_score.size());  // a limit may have ended it before its end
  for (std::size_t t = 0; t < by_writer.size(); ++t)
    EXPECT_NEAR(by_writer[t].get<double>(), by_score[t].get<double>(), 1e-5) << t;
}

/// However it is typed, a prompt goes on in the same way.
TEST(Generate, GivesThePromptAsItWasTyped) {
  const Folder folder;
  for (const bool subwords : {false, true}) {
    const std::string writer =
        write_small_model(folder, {.architecture = "language", .subwords = subwords}, "writer");
    const auto said = [&](const std::string& prompt) {
      return Json::parse(
          printed({"generate", "-m", writer, "-p", prompt, "--max-length", "20", "--json"}));
    };
    const Json plain = said("the black cat");
    const std::string continuation = plain["continuation"];
    EXPECT_FALSE(continuation.empty());
    EXPECT_EQ(plain["text"], "the black cat" + continuation);
    for (const std::string prompt :
         {"  the black cat", "the  black\tcat", "the\u00A0black cat", "the black cat \t "}) {
      const Json typed = said(prompt);
      EXPECT_EQ(typed["prompt"], prompt);
      EXPECT_EQ(typed["tokens"], plain["tokens"]);
      const std::string added = typed["continuation"];
      EXPECT_EQ(typed["text"], prompt + added);
      const bool spaced = prompt.ends_with(' ') && continuation.starts_with(' ');
      EXPECT_EQ((spaced ? " " : "") + added, continuation);
    }
    const Json odd = said("the purple cat");
    EXPECT_EQ(odd["text"], "the purple cat" + odd["continuation"].get<std::string>());
  }
}

TEST(Generate, WritesALineWhateverWasTyped) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const std::string odd = "the\n\tblack\x1B[31m \xFF cat", shown = "the  black [31m \uFFFD cat";
  const auto given = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"generate", "-m", writer, "-p", odd};
    all.insert(all.end(), more.begin(), more.end());
    return printed(all);
  };
  for (const std::string& text : {given({}), given({"--scores"})}) {
    EXPECT_TRUE(text.starts_with(shown)) << text;
    EXPECT_EQ(lines_of(text).size(), 1u);
  }
  EXPECT_EQ(std::ranges::count(given({"--scores"}), '\t'), 1);
  EXPECT_EQ(lines_of(given({"--n-best", "3"})).size(), 3u);
  EXPECT_EQ(Json::parse(given({"--json"}))["prompt"], "the\n\tblack\x1B[31m \uFFFD cat");
}

TEST(Generate, ReadsPromptsFromStandardInput) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const std::string prompts = folder.write("prompts", "a\nthe black cat\n");
  const std::string expected = printed({"generate", "-m", writer, "-i", prompts});
  const auto piped = [&](const std::string& input) {
    return run_regard({"generate", "-m", writer}, {.input = input});
  };
  EXPECT_EQ(piped("a\nthe black cat\n").out, expected);
  EXPECT_EQ(piped("").code, 0);
  const Outcome bad = piped("a\n\n");
  EXPECT_EQ(bad.code, 3);
  EXPECT_TRUE(says(bad.err, "standard input:2: empty prompt"));
}

TEST(Generate, NumbersTheBestAndScoresThem) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  folder.write("prompts", "a b\nthe black cat\n");
  const auto given = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"generate", "-m", writer, "-i", folder.path("prompts")};
    all.insert(all.end(), more.begin(), more.end());
    return lines_of(printed(all));
  };
  const std::vector<std::string> best = given({"--n-best", "3"}),
                                 json = given({"--n-best", "3", "--json"}),
                                 scored = given({"--scores", "--beam", "4"});
  ASSERT_EQ(best.size(), 6u);
  ASSERT_EQ(json.size(), 2u);
  ASSERT_EQ(scored.size(), 2u);
  for (std::size_t line = 0; line < 2; ++line) {
    const Json said = Json::parse(json[line]);
    ASSERT_EQ(said["hypotheses"].size(), 3u);
    for (const char* key : {"text", "continuation", "score", "tokens"})
      EXPECT_EQ(said[key], said["hypotheses"][0][key]) << key;
    double before = std::numeric_limits<double>::infinity();
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const Json& each = said["hypotheses"][rank];
      const double score = each["score"];
      EXPECT_LE(score, before);
      before = score;
      EXPECT_EQ(best[3 * line + rank],
                fmt::format("{} ||| {} ||| {:.4f}", line, each["text"].get<std::string>(), score));
    }
    EXPECT_EQ(scored[line], fmt::format("{}\t{:.4f}", said["text"].get<std::string>(),
                                        said["score"].get<double>()));
  }
}

/// Draws follow the line and the seed, not what else is in the file.
TEST(Generate, DrawsByTheNumberOfTheLine) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const auto drawn = [&](const std::string& prompts) {
    folder.write("prompts", prompts);
    return lines_of(printed({"generate", "-m", writer, "-i", folder.path("prompts"), "--sample"}));
  };
  const std::vector<std::string> lines = drawn("a b\na b\na b\n");
  EXPECT_EQ(drawn("a b\n")[0], lines[0]);
  EXPECT_EQ(drawn("the cat\nc\na b\n")[2], lines[2]);
  EXPECT_NE(lines[0], lines[1]);
}

/// What stands before a line that cannot be continued is written, and the error names that line.
TEST(Generate, ContinuesAllBeforeAFault) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const auto continued = [&](const std::string& file) {
    return run_regard({"generate", "-m", writer, "--max-length", "6", "-i", file});
  };
  for (const std::size_t before : {0, 1, 3, 64, 70}) {
    std::string prompts;
    for (std::size_t i = 0; i < before; ++i) prompts += i % 2 == 0 ? "a\n" : "the black cat\n";
    folder.write("good", prompts);
    const std::string bad = folder.write("bad", prompts + "\nb\n");
    const Outcome outcome = continued(bad);
    EXPECT_EQ(outcome.code, 3) << before;
    EXPECT_EQ(outcome.out, continued(folder.path("good")).out) << before;
    EXPECT_TRUE(says(outcome.err, bad + ":" + std::to_string(before + 1) + ": empty prompt"));
  }
}

TEST(Generate, RefusesAPromptThatNothingCanFollow) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const std::string learned = write_small_model(
      folder, {.architecture = "language", .position = "learned", .max_length = 5}, "learned");
  const auto given = [](const std::string& model, std::vector<std::string> more) {
    more.insert(more.begin(), {"generate", "-m", model, "--json"});
    return run_regard(more);
  };
  // One token has room, and no more.
  for (const Outcome& fits :
       {given(writer, {"-p", "a b c", "--max-length", "4"}), given(learned, {"-p", "a b c"})}) {
    ASSERT_EQ(fits.code, 0) << fits.err;
    EXPECT_LE(fits.json()["tokens"].size(), 4u);
  }
  const Outcome full = given(writer, {"-p", "a b c", "--max-length", "3"});
  EXPECT_EQ(full.code, 2);
  EXPECT_TRUE(
      says(full.err, "--prompt: a prompt of 3 tokens leaves no room for another: --max-length 3"));
  const std::string file = folder.write("prompts", "a\na b c d\n");
  const Outcome table = given(learned, {"-i", file});
  EXPECT_EQ(table.code, 3);
  EXPECT_EQ(lines_of(table.out).size(), 2u);  // the first prompt, and the error as JSON
  EXPECT_TRUE(
      says(table.err + table.out,
           ":2: a prompt of 4 tokens leaves no room for another: the model has only 5 positions"));
}

TEST(Generate, NamesWordsThatTheModelDoesNotKnow) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const Outcome outcome = run_regard({"generate", "-m", writer, "-p", "the purple cat"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.err, "'purple'"));
  EXPECT_TRUE(says(outcome.err, "model's vocabulary"));
  // An error does not hide the warning: the table of positions has none for the second line.
  const std::string learned = write_small_model(
      folder, {.architecture = "language", .position = "learned", .max_length = 5}, "learned");
  for (const char* command : {"generate", "score"}) {
    const Outcome faulty =
        run_regard({command, "-m", learned}, {.input = "the purple cat\na b c d e f\n"});
    EXPECT_EQ(faulty.code, 3) << command;
    EXPECT_TRUE(says(faulty.err, "'purple' (line 1)")) << command;
    EXPECT_TRUE(says(faulty.err, "model's vocabulary")) << command;
  }
}

TEST(Generate, SaysHowToGetAModelThatWrites) {
  const Folder folder;
  const std::string train = "regard train --arch language --train ";
  const Outcome none = run_regard({"generate", "-p", "a"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(says(none.err, train + "builtin:en --model runs/writer --preset tiny"));
  const std::string absent = folder.path("absent");
  const Outcome missing = run_regard({"generate", "-m", absent, "-p", "a"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_TRUE(says(missing.err, train + "TEXT --model " + absent));
}

}  // namespace
}  // namespace regard
