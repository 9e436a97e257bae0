#include <gtest/gtest.h>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

TEST(ScoreCommand, GivesBackWhatTranslateSaid) {
  const Folder folder;
  for (const char* architecture : {"transformer", "bahdanau"}) {
    const std::string model = write_small_model(folder, {.architecture = architecture});
    const Outcome said = run_regard({"translate", "-m", model, "--json"},
                                    {.input = "a b c\nthe black cat sleeps .\nd\n"});
    std::string pairs;
    std::vector<nlohmann::json> objects;
    for (const std::string& line : lines_of(said.out)) {
      objects.push_back(nlohmann::json::parse(line));
      pairs += objects.back()["source"].get<std::string>() + "\t" +
               objects.back()["translation"].get<std::string>() + "\n";
    }
    const Outcome scored =
        run_regard({"score", "-m", model, "--json", "--per-token"}, {.input = pairs});
    ASSERT_EQ(scored.code, 0) << scored.err;
    const std::vector<std::string> found = lines_of(scored.out);
    ASSERT_EQ(found.size(), objects.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto score = nlohmann::json::parse(found[i]);
      const auto &said_by = objects[i]["token_log_probabilities"],
                 &read_by = score["token_log_probabilities"];
      ASSERT_EQ(read_by.size(), score["tokens"].size());
      ASSERT_LE(said_by.size(), read_by.size());  // a limit may have ended it before its end
      for (std::size_t t = 0; t < said_by.size(); ++t)
        EXPECT_NEAR(said_by[t].get<double>(), read_by[t].get<double>(), 1e-4) << i << ' ' << t;
    }
    const Outcome text = run_regard({"score", "-m", model, "--per-token"}, {.input = pairs});
    EXPECT_EQ(std::ranges::count(text.out, '\t'), 3);
    const Outcome plain = run_regard({"score", "-m", model}, {.input = pairs});
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(std::stod(lines_of(plain.out)[i]),
                  nlohmann::json::parse(found[i])["log_probability"].get<double>(), 1e-4);
  }
}

TEST(ScoreCommand, EmptySidesHaveAScoreAndBadLinesAPlace) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const Outcome empty = run_regard({"score", "-m", model}, {.input = "\t\na\t\n\tA\n"});
  EXPECT_EQ(empty.code, 0) << empty.err;
  EXPECT_EQ(lines_of(empty.out).size(), 3u);
  EXPECT_EQ(run_regard({"score", "-m", model}, {.input = ""}).out, "");
  for (const auto& [input, said] : {std::pair("a\tA\nb B\n", "standard input:2: "),
                                    {"\n", "standard input:1: "},
                                    {"a\tb\tc\n", "more than one tab"}}) {
    const Outcome bad = run_regard({"score", "-m", model, "--json"}, {.input = input});
    EXPECT_EQ(bad.code, 3);
    EXPECT_NE(bad.err.find(said), std::string::npos) << bad.err;
    const auto last = nlohmann::json::parse(lines_of(bad.out).back());
    EXPECT_TRUE(last["error"]["line"].is_number());
  }
  const std::string tight =
      write_small_model(folder, {.position = "learned", .max_length = 4}, "tight");
  EXPECT_EQ(run_regard({"score", "-m", tight}, {.input = "a a a\tA\n"}).code, 0);
  const Outcome long_line = run_regard({"score", "-m", tight}, {.input = "a a a a\tA\n"});
  EXPECT_EQ(long_line.code, 3);
  EXPECT_NE(long_line.err.find("input:1: 4 tokens"), std::string::npos) << long_line.err;
  const std::string recurrent = write_small_model(
      folder, {.architecture = "bahdanau", .position = "learned", .max_length = 4}, "recurrent");
  EXPECT_EQ(run_regard({"score", "-m", recurrent}, {.input = "a a a a\tA\n"}).code, 0);
}

TEST(ScoreCommand, NamesAnOverlongLineOfTheSecondFile) {
  constexpr std::size_t kMax = std::size_t{1} << 26;
  const Folder folder;
  const std::string model = write_small_model(folder), source = folder.write("src", "a\nb\n");
  const std::string target = folder.write("tgt", "A\n" + std::string(kMax + 1, 'x') + "\n");
  const Outcome outcome = run_regard({"score", "-m", model, source, target});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2u);
  EXPECT_NE(outcome.err.find(target + ":2: more than 67108864 bytes in a line; it counts as empty"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace regard
