#include "regard/batch/corpus.h"

#include <sys/stat.h>
#include <unistd.h>

#include <numeric>
#include <thread>

#include "tests/batch/batch_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using namespace std::string_literals;
using testing::Draw;
using testing::expect_fault;
using testing::gzip;
using testing::law;

std::string words(Index count, const std::string& word = "w") {
  std::string text;
  for (Index i = 0; i < count; ++i) text += word + std::to_string(i) + ' ';
  return text;
}

class Corpus : public testing::InFolder {
 protected:
  Index dropped() const {
    return std::accumulate(report_.dropped.begin(), report_.dropped.end(), Index{0},
                           [](Index sum, const auto& entry) { return sum + entry.second; });
  }
};

TEST_F(Corpus, OfTwoFilesPairsTheirLines) {
  const std::vector<Pair> expected = {{"Go.", "Va !"}, {"Run!", "Courez !"}};
  const std::string en = write("a.en", "Go.\nRun!\n");
  const std::string fr = write("a.fr", gzip("Va !\r\nCourez !"));
  EXPECT_EQ(read({en, fr}), expected);
  EXPECT_EQ(report_.read, 2);
  EXPECT_EQ(report_.kept, 2);
  EXPECT_EQ(report_.text(), "read 2 pairs, kept 2");
}

TEST_F(Corpus, WithMoreLinesOnOneSideIsAnErrorWithBothCounts) {  // covers CO1
  law("different counts are never cut short", 50, [&](Draw& draw) {
    const Index a = draw.integer(0, 20), b = draw.integer(0, 20);
    if (a == b) return;
    const std::string en = write("a.en", std::string(static_cast<std::size_t>(a), '\n'));
    const std::string fr = write("a.fr", std::string(static_cast<std::size_t>(b), '\n'));
    expect_fault(
        Fault::input,
        {en + " has " + std::to_string(a) + " lines", fr + " has " + std::to_string(b) + ":"}, [&] {
          read({en, fr});
        });
  });
}

TEST_F(Corpus, OfOneTsvFile) {  // covers CO2
  const std::string tsv = write("a.tsv",
                                "\xEF\xBB\xBFGo.\tVa !\r\n"          // 1
                                "no tab\n"                           // 2
                                "Hi.\tSalut.\tCC-BY 2.0 (France)\n"  // 3
                                "a b\tc d\t0-1 1-0\n"                // 4
                                "a\tb\tc\td\n"                       // 5
                                "a\t\n"                              // 6
                                "\t\n"                               // 7
                                "a\0b\tc\n"                          // 8
                                "a\rb\tc\n"                          // 9
                                "\xE2\x80\xA8x\ty\xC2\x85z\n"        // 10
                                "\n"                                 // 11
                                "bad \xFF\tc\n"                      // 12
                                "last\tdernier"s);
  const std::vector<Pair> expected = {{"Go.", "Va !"},
                                      {"Hi.", "Salut."},
                                      {"a b", "c d", "0-1 1-0"},
                                      {"\xE2\x80\xA8x", "y\xC2\x85z"},
                                      {"last", "dernier"}};
  EXPECT_EQ(read({tsv}), expected);
  EXPECT_EQ(report_.read, 13);
  EXPECT_EQ(report_.dropped, (std::map<std::string, Index>{{"no tab between source and target", 2},
                                                           {"more than three fields", 1},
                                                           {"one side is empty", 2},
                                                           {"NUL inside the line", 1},
                                                           {"carriage return inside the line", 1},
                                                           {"not valid UTF-8", 1}}));
  ASSERT_EQ(report_.first_errors.size(), 5u);
  EXPECT_EQ(report_.first_errors[0], tsv + ":2: no tab between source and target");
  EXPECT_EQ(report_.first_errors[3], tsv + ":7: one side is empty");
  for (const char* part : {"read 13 pairs, kept 5", "1 NUL inside the line", ":2: no tab"})
    EXPECT_NE(report_.text().find(part), std::string::npos) << report_.text();

  Filters strict;
  strict.on_bad_line = "stop";
  expect_fault(Fault::input, {tsv + ":2: no tab"}, [&] { read({tsv}, strict); });
}

TEST_F(Corpus, CountsAndSkipsLinesThatAreNotText) {  // covers CO3, CO4
  Filters filters;
  filters.max_line_bytes = 10;
  const std::string en = write("a.en", "good\n\xC0\xAF\n\xED\xA0\x80\nthis is too long\nx\n");
  const std::string fr = write("a.fr", "bon\nb\nb\nb\n\xF4\x90\x80\x80\n");
  EXPECT_EQ(read({en, fr}, filters), (std::vector<Pair>{{"good", "bon"}}));
  EXPECT_EQ(report_.dropped,
            (std::map<std::string, Index>{{"not valid UTF-8", 3}, {"line too long", 1}}));
  EXPECT_EQ(report_.first_errors.back(), fr + ":5: not valid UTF-8");
  filters.on_bad_line = "stop";
  expect_fault(Fault::input, {en + ":2: not valid UTF-8"}, [&] { read({en, fr}, filters); });
}

TEST_F(Corpus, ThatIsNotBuiltInIsAnErrorThatNamesTheOneThatIs) {
  expect_fault(Fault::usage, {"'builtin:xx'", "known: builtin:en-fr"},
               [&] { read({"builtin:xx"}); });
}

TEST_F(Corpus, WithNothingInItIsAnError) {  // covers CO5
  const std::string none = write("none", ""), blank = write("blank", "\n\n");
  expect_fault(Fault::input, {"empty corpus"}, [&] { read({none, none}); });
  expect_fault(Fault::input, {"empty corpus"}, [&] { read({none}); });
  expect_fault(Fault::input, {"no pair is left", "kept 0", "2 one side is empty"}, [&] {
    read({blank, blank});
  });
  EXPECT_EQ(report_.read, 2) << "the report stands also after an error";
  EXPECT_EQ(read({write("one.tsv", "a\tb")}).size(), 1u);
}

TEST_F(Corpus, IsFilteredByRule) {  // covers CO12
  const auto kept = [&](const std::string& source, const std::string& target, Filters filters) {
    CorpusReport report;
    try {
      return filter_pairs("pairs", {{source, target}}, filters, report).size() == 1;
    } catch (const Error&) {
      EXPECT_EQ(report.read, 1);
      return false;
    }
  };
  EXPECT_TRUE(kept(words(250), words(250, "v"), {}));
  EXPECT_FALSE(kept(words(251), words(250), {}));
  EXPECT_FALSE(kept("one", words(5000), {}));
  EXPECT_TRUE(kept("one", words(10), {})) << "short sentences may differ by any ratio";
  EXPECT_FALSE(kept("one", words(11), {}));
  EXPECT_TRUE(kept("one two", words(18), {}));
  EXPECT_FALSE(kept(words(19), "one two", {}));
  EXPECT_FALSE(kept(" \xC2\xA0", "x", {}));
  EXPECT_TRUE(kept("same", "same", {}));
  Filters no_copies;
  no_copies.drop_identical = true;
  EXPECT_FALSE(kept("same", "same", no_copies));
  std::string chinese;  // 48 characters without a space, for a sentence of 30 words
  for (int i = 0; i < 48; ++i) chinese += "\xE4\xB8\xAD";
  EXPECT_TRUE(kept(words(30), chinese, {}));
  EXPECT_FALSE(kept("x y z", std::string(100'000, 'a'), {}));
}

TEST_F(Corpus, CountsEveryReasonByItself) {  // covers CO12
  // The first comes once, the second twice, and so on: no two counts can be exchanged unseen.
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"not valid UTF-8", "bad \xFF\tx"},
      {"NUL inside the line", "a\0b\tx"s},
      {"carriage return inside the line", "a\rb\tx"},
      {"line too long", std::string(2001, 'x') + "\tx"},
      {"one side is empty", " \tx"},
      {"too many words", words(251) + "\tx"},
      {"sides differ too much in length", "one\t"s.append(words(11, "v"))},
      {"identical sides", "same\tsame"},
      {"duplicate", "good\tbon"},
      {"no tab between source and target", "alone"},
      {"more than three fields", "a\tb\tc\td"}};
  constexpr std::size_t kOfTwoFiles = 9;  // the last two are faults of TSV alone
  Filters filters;
  filters.drop_identical = true;
  filters.max_line_bytes = 2000;
  for (const std::size_t count : {kOfTwoFiles, faults.size()}) {
    std::string tsv = "good\tbon\n", en = "good\n", fr = "bon\n";
    std::map<std::string, Index> expected;
    Index lines = 1;
    for (std::size_t turn = 0; turn < count; ++turn)
      for (std::size_t i = turn; i < count; ++i, ++lines) {
        const auto& [reason, line] = faults[i];
        ++expected[reason];
        tsv.append(line).append("\n");
        if (count != kOfTwoFiles) continue;
        const std::size_t tab = line.find('\t');
        en.append(line, 0, tab).append("\n");
        fr.append(line, tab + 1).append("\n");
      }
    const std::vector<Pair> kept = {{"good", "bon"}};
    EXPECT_EQ(read({write("a.tsv", tsv)}, filters), kept);
    EXPECT_EQ(report_.dropped, expected);
    EXPECT_EQ(report_.read, lines);
    EXPECT_EQ(report_.kept, 1);
    if (count != kOfTwoFiles) continue;
    EXPECT_EQ(read({write("a.en", en), write("a.fr", fr)}, filters), kept);
    EXPECT_EQ(report_.dropped, expected);
    EXPECT_EQ(report_.read, lines);
  }
}

TEST_F(Corpus, DropsOnlyPairsThatAreTheSameOnBothSides) {
  const std::string tsv = write("a.tsv", "Go.\tVa !\nGo.\tAllez !\nGo.\tVa !\nGo\t.Va !\n");
  EXPECT_EQ(read({tsv}).size(), 3u);
  EXPECT_EQ(report_.dropped, (std::map<std::string, Index>{{"duplicate", 1}}));
  Filters filters;
  filters.drop_duplicates = false;
  EXPECT_EQ(read({tsv}, filters).size(), 4u);
}

TEST_F(Corpus, IsKeptOrDroppedToTheLastPair) {
  law("read = kept + dropped", 100, [&](Draw& draw) {
    const std::vector<std::string> sides = {"a", "b", "", "\xFF", words(20), words(300), "a\rb"};
    std::string tsv, en, fr;
    const Index count = draw.integer(1, 30);
    for (Index i = 0; i < count; ++i) {
      const std::string source = sides[static_cast<std::size_t>(draw.integer(0, 6))];
      const std::string target = sides[static_cast<std::size_t>(draw.integer(0, 6))];
      en += source + '\n';
      fr += target + '\n';
      tsv += source + '\t' + target + '\n';
    }
    en += "good\n", fr += "bon\n", tsv += "good\tbon\n";
    const std::vector<Pair> pairs = read({write("a.en", en), write("a.fr", fr)});
    ASSERT_EQ(report_.read, count + 1);
    ASSERT_EQ(report_.kept, static_cast<Index>(pairs.size()));
    ASSERT_EQ(report_.read, report_.kept + dropped());
    ASSERT_EQ(read({write("a.tsv.gz", gzip(tsv))}), pairs);
    ASSERT_EQ(report_.read, report_.kept + dropped());
  });
}

TEST_F(Corpus, KnowsItsFormatByNameOrContent) {
  const std::vector<Pair> expected = {{"a", "b"}};
  const std::string po = "msgid \"a\"\nmsgstr \"b\"\n";
  const std::string tmx =
      "<?xml version='1.0'?><tmx><body><tu><tuv xml:lang='en'><seg>a</seg></tuv>"
      "<tuv xml:lang='fr'><seg>b</seg></tuv></tu></body></tmx>";
  for (const auto& [ending, content] :
       std::map<std::string, std::string>{{".tsv", "a\tb\n"}, {".po", po}, {".tmx", tmx}}) {
    EXPECT_EQ(read({write("x" + ending, content)}), expected) << ending;
    EXPECT_EQ(read({write("x" + ending + ".gz", gzip(content))}), expected) << ending;
    EXPECT_EQ(read({write("nameless", content)}), expected) << ending;
    EXPECT_EQ(read({write("nameless", gzip(content))}), expected) << ending;
  }
  expect_fault(Fault::input, {"x.txt", "neither TSV"}, [&] { read({write("x.txt", "hello\n")}); });
  expect_fault(Fault::usage, {"one or two files, not 3"}, [&] { read({"a", "b", "c"}); });
  for (const std::string& source : {"-"s, "/dev/stdin"s})
    for (const std::string& target : {"-"s, "/dev/stdin"s})
      expect_fault(Fault::usage, {"standard input"}, [&] { read({source, target}); });
}

TEST_F(Corpus, HasAFingerprintOfItsBytes) {  // covers CO10
  const std::string a = write("a", "one\n"), b = write("b", "one\n"), c = write("c", "onf\n");
  const auto print = [](std::vector<std::string> paths) {
    return corpus_fingerprint({.paths = std::move(paths), .from = {}, .to = {}});
  };
  EXPECT_EQ(print({a}), print({b}));
  EXPECT_NE(print({a}), print({c}));
  EXPECT_NE(print({a, c}), print({c, a}));
  EXPECT_NE(print({a}), print({write("a.gz", gzip("one\n"))})) << "raw bytes";
  // FNV-1a of nothing is its offset basis; of "a" it is published: af63dc4c8601ec8c.
  EXPECT_EQ(print({write("none", ""), write("x", "a")}), "0:cbf29ce484222325,1:af63dc4c8601ec8c");
  EXPECT_EQ(print({"builtin:en-fr"}), "builtin:en-fr");
  expect_fault(Fault::input, {"gone"}, [&] { print({path("gone")}); });
}

TEST_F(Corpus, MayBeAStream) {  // covers CO13
  const std::string pipe = path("pipe"), file = write("file", "a\tb\n");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto stream = [](std::vector<std::string> paths) {
    return is_stream(CorpusPaths{.paths = std::move(paths), .from = {}, .to = {}});
  };
  EXPECT_TRUE(stream({"-"}));
  EXPECT_TRUE(stream({"/dev/stdin"}));
  EXPECT_TRUE(stream({file, pipe}));
  EXPECT_FALSE(stream({file, file}));
  EXPECT_FALSE(stream({"builtin:en-fr"}));
  EXPECT_EQ(corpus_fingerprint({.paths = {pipe}, .from = {}, .to = {}}), "stream");
  std::jthread writer([&] { std::ofstream(pipe) << "a\tb\n"; });
  EXPECT_EQ(read({pipe}), (std::vector<Pair>{{"a", "b"}}));
}

/// While it lives, standard input is a pipe that holds this text.
class StandardInput {
 public:
  explicit StandardInput(const std::string& text) : before_(::dup(STDIN_FILENO)) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
    EXPECT_EQ(::dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    ::close(ends[0]);
  }
  ~StandardInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

TEST_F(Corpus, MayBeStandardInput) {  // covers CO13
  const std::string fr = write("a.fr", "b\nd\n");
  const std::vector<Pair> expected = {{"a", "b"}, {"c", "d"}};
  for (const std::string& input : {"-"s, "/dev/stdin"s}) {
    for (const std::string& text : {"a\tb\nc\td\n"s, gzip("a\tb\nc\td\n")}) {
      const StandardInput standard(text);
      EXPECT_EQ(read({input}), expected) << input;
    }
    const StandardInput standard("a\nc\n");
    EXPECT_EQ(read({input, fr}), expected) << input;
    EXPECT_EQ(corpus_fingerprint({.paths = {input}, .from = {}, .to = {}}), "stream");
  }
}

TEST_F(Corpus, OfThePublicSetsIsReadWhole) {
  const std::string folder = REGARD_SOURCE_DIR "/../shared/data";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "skipped: no ../shared/data";
  Filters everything;
  everything.drop_duplicates = false;
  const std::string multi30k = folder + "/multi30k/train.";
  EXPECT_EQ(read({multi30k + "en.gz", multi30k + "de.gz"}, everything).size(), 29'000u);
  const std::string tatoeba = folder + "/fra-eng/train.";
  read({tatoeba + "en.gz", tatoeba + "fr.gz"}, everything);
  EXPECT_EQ(report_.read, report_.kept) << report_.text();
}

}  // namespace
}  // namespace regard
