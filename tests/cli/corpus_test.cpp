#include <gtest/gtest.h>

#include <set>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;

TEST(CorpusCommand, WritesTheBuiltInCorpus) {
  const Folder folder;
  const auto write = [&](const std::string& split, const std::string& seed) {
    const Outcome outcome = run_regard({"corpus", "builtin:en-fr", "--split", split, "--pairs",
                                        "300", "--seed", seed, "--out", folder.path(split + seed)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return folder.path(split + seed);
  };
  std::set<std::string> seen;
  for (const std::string split : {"train", "valid", "test"}) {
    const std::string name = split + "1/" + split;
    write(split, "1");
    const auto english = lines_of(folder.read(name + ".en"));
    EXPECT_EQ(english.size(), 300u);
    EXPECT_EQ(lines_of(folder.read(name + ".fr")).size(), 300u);
    for (const std::string& links : lines_of(folder.read(name + ".align")))
      EXPECT_TRUE(links.starts_with("0-")) << links;
    for (const std::string& line : english) EXPECT_TRUE(seen.insert(line).second) << line;
  }
  write("test", "2");
  EXPECT_NE(folder.read("test1/test.en"), folder.read("test2/test.en"));
  const Outcome again = run_regard({"corpus", "builtin:en-fr", "--split", "test", "--pairs", "5",
                                    "--out", folder.path("test1")});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(lines_of(folder.read("test1/test.en")).size(), 300u);
  EXPECT_EQ(run_regard({"corpus", "builtin:en-fr", "--split", "test", "--pairs", "5", "--out",
                        folder.path("test1"), "--overwrite"})
                .code,
            0);
  EXPECT_EQ(lines_of(folder.read("test1/test.en")).size(), 5u);
  const Outcome shown = run_regard({"corpus", "builtin:en-fr", "--pairs", "4"});
  EXPECT_EQ(lines_of(run_regard({"corpus", "builtin:en-fr", "--pairs", "1k"}).out).size(), 1000u);
  EXPECT_EQ(std::ranges::count(shown.out, '\t'), 8);
}

TEST(CorpusCommand, WritesTheEnglishSideAlone) {
  const Folder folder;
  const auto lines = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"corpus", "builtin:en", "--split", "test", "--pairs", "40"});
    return run_regard(more);
  };
  const Outcome shown = lines({});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(lines_of(shown.out).size(), 40u);
  EXPECT_EQ(std::ranges::count(shown.out, '\t'), 0);
  std::string english;  // of the pairs
  for (const std::string& pair :
       lines_of(run_regard({"corpus", "builtin:en-fr", "--split", "test", "--pairs", "40"}).out))
    english += pair.substr(0, pair.find('\t')) + "\n";
  EXPECT_EQ(shown.out, english);
  std::string text;
  for (const std::string& line : lines_of(lines({"--json"}).out))
    text += nlohmann::json::parse(line)["text"].get<std::string>() + "\n";
  EXPECT_EQ(text, shown.out);
  EXPECT_EQ(lines({"--out", folder.path("out")}).code, 0);
  EXPECT_EQ(folder.read("out/test.en"), shown.out);
  EXPECT_FALSE(std::filesystem::exists(folder.path("out/test.align")));
  EXPECT_EQ(lines({"--out", folder.path("out")}).code, 2);
}

TEST(CorpusCommand, ReadsFiltersAndCountsYourOwn) {
  const Folder folder;
  const std::string en = folder.write("x.en", "a b\nc\n\na b\n"),
                    de = folder.write("x.de", "A B\nC\nD\nA B\n"), out = folder.path("out");
  const Outcome json = run_regard({"corpus", en, de, "--check", "--json", "--out", out});
  ASSERT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(json.json()["read"], 4);
  EXPECT_EQ(json.json()["kept"], 2);
  EXPECT_EQ(json.json()["source_words"], 3);
  EXPECT_FALSE(std::filesystem::exists(out));
  const Outcome text = run_regard({"corpus", en, de, "--from", "en", "--to", "de", "--out", out});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("words: 3 and 3"), std::string::npos) << text.out;
  EXPECT_EQ(folder.read("out/kept.en"), "a b\nc\n");
  EXPECT_EQ(folder.read("out/kept.de"), "A B\nC\n");
  EXPECT_EQ(run_regard({"corpus", en, de, "--from", "en", "--to", "de", "--out", out}).code, 2);
}

TEST(CorpusCommand, CountsATextAlone) {
  const Folder folder;
  const std::string text = folder.write("text.en", "a b\nc\n\na b\n");
  const Outcome counted = run_regard({"corpus", text, "--check"});
  ASSERT_EQ(counted.code, 0) << counted.err;
  EXPECT_EQ(counted.out,
            "read 4 lines, kept 2; dropped: 1 duplicate, 1 empty\nwords: 3, 1.5 per line\n");
  EXPECT_EQ(run_regard({"corpus", "-", "--check"}, {.input = "a b\n"}).out,
            "read 1 line, kept 1\nwords: 2, 2.0 per line\n");
  const auto json = run_regard({"corpus", text, "--json"}).json();
  EXPECT_EQ(json["kept"], 2);
  EXPECT_EQ(json["words"], 3);
  EXPECT_FALSE(json.contains("source_words"));
  const std::string out = folder.path("out");  // of pairs alone
  EXPECT_EQ(run_regard({"corpus", text, "--out", out}).code, 3);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(CorpusCommand, KeepsAlignmentsWhereAllHaveThem) {
  const Folder folder;
  const std::string all = folder.write("all.tsv", "a b\tA B\t0-0 1-1\nc\tC\t0-0\n");
  const std::string some =
      folder.write("some.tsv", "a b\tA B\t0-0\nc\tC\t99999999999999999999-0\n");
  EXPECT_EQ(run_regard({"corpus", all, "--out", folder.path("all")}).code, 0);
  EXPECT_EQ(folder.read("all/kept.align"), "0-0 1-1\n0-0\n");
  const Outcome outcome = run_regard({"corpus", some, "--out", folder.path("some")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(folder.read("some/kept.source")).size(), 2u);
  EXPECT_FALSE(std::filesystem::exists(folder.path("some/kept.align")));
}

TEST(CorpusCommand, Refuses) {
  const Folder folder;
  const std::string one = folder.write("one", "a\n"), two = folder.write("two", "A\nB\n");
  const std::string tsv = folder.write("bad.tsv", "a\tA\nno tab\n");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    const char* message;
  };
  for (const Case& c :
       std::vector<Case>{{{}, 2, "needs builtin:en-fr"},
                         {{"builtin:en-de"}, 2, "known: builtin:en-fr"},
                         {{"builtin:en-fr", "--split", "tset"}, 2, "did you mean 'test'?"},
                         {{"builtin:en-fr", "--pairs", "900000000"}, 2, "at most"},
                         {{"builtin:en-fr", "--pairs", "0"}, 2, "--pairs"},
                         {{"builtin:en-fr", "--pairs", "k"}, 2, "--pairs"},
                         {{"builtin:en-fr", "--pairs", "99999999999999999M"}, 2, "--pairs"},
                         {{"builtin:en-fr", "--max-words", "5"}, 2, "files of your own"},
                         {{one, two}, 3, "2"},
                         {{one, folder.path("absent")}, 3, "absent"},
                         {{one, two, one}, 2, "one file or two"},
                         {{one, two, "--seed", "1"}, 2, "a built-in corpus"},
                         {{tsv, "--on-bad-line", "stop"}, 3, "bad.tsv:2"},
                         {{tsv, "--on-bad-line", "maybe"}, 2, "--on-bad-line"}}) {
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.begin(), "corpus");
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, c.code) << outcome.err;
    EXPECT_NE(outcome.err.find(c.message), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace regard
