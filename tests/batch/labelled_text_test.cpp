#include "regard/batch/labelled_text.h"

#include <map>
#include <set>

#include "regard/batch/builtin/corpus.h"
#include "tests/batch/batch_testing.h"

namespace regard {
namespace {

using testing::expect_fault;

class LabelledTexts : public testing::InFolder {
 protected:
  std::vector<Pair> read_all(const std::vector<std::string>& paths, const Filters& filters = {},
                             const std::vector<std::string>& known = {}) {
    return read_labelled(paths, filters, report_, known);
  }
};

TEST_F(LabelledTexts, StandOnALineOrInTwoFiles) {
  const std::vector<Pair> expected{{"a film", "good"}, {"a\ttab in it", "so so"}, {"été", "bad"}};
  const std::string one = write(
      "t.tsv", "a film\tgood\na\ttab in it\tso  so \n\xEF\xBB\xBFno mark inside\nété\tbad\r\n");
  EXPECT_EQ(read_all({one}), expected);
  EXPECT_EQ(report_.text(),
            "read 4 texts, kept 3; dropped: 1 no tab between text and label; first errors: " + one +
                ":3: no tab between text and label");
  const std::string texts = write("t.txt", testing::gzip("a film\na\ttab in it\nété\n")),
                    labels = write("l.txt", "good\nso so\nbad\n");
  EXPECT_EQ(read_all({texts, labels}), expected);
}

/// A label is short, however long its text is; texts seen before with the same label are dropped.
TEST_F(LabelledTexts, AreFilteredByTheirTextAlone) {
  std::string longer;
  for (int i = 0; i < 200; ++i) longer += "word" + std::to_string(i) + " ";
  const std::string path = write("t.tsv", longer + "\tgood\n" + longer + longer +
                                              "\tgood\nx\tbad\nx\tbad\nx\tgood\n \tgood\nx\t \n");
  const std::vector<Pair> kept = read_all({path});
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[0].source, longer);
  EXPECT_EQ(report_.dropped,
            (std::map<std::string, Index>{
                {"too many words", 1}, {"duplicate", 1}, {"text or label is empty", 2}}));
}

TEST_F(LabelledTexts, AreRefusedWithFileAndLine) {
  const std::string path = write("t.tsv", "a\tgood\nb\tbadd\nc\n");
  expect_fault(Fault::input, {path + ":2: the label 'badd' is not among", "did you mean 'bad'"},
               [&] {
                 read_all({path}, {}, {"bad", "good"});
               });
  Filters strict;
  strict.on_bad_line = "stop";
  expect_fault(Fault::input, {path + ":3: no tab between text and label"},
               [&] { read_all({path}, strict); });
  const std::string texts = write("t.txt", "a\nb\nc\n"), labels = write("l.txt", "good\nbadd\n");
  expect_fault(Fault::input, {texts + " has 3 lines", labels + " has 2"}, [&] {
    read_all({texts, labels});
  });
  write("l.txt", "good\nbadd\nbad\n");
  expect_fault(Fault::input, {labels + ":2: the label 'badd'"}, [&] {
    read_all({texts, labels}, {}, {"bad", "good"});
  });
  expect_fault(Fault::usage, {"only one of them"}, [&] { read_all({"-", "-"}); });
  expect_fault(Fault::input, {"empty corpus"}, [&] { read_all({write("empty", "")}); });
}

const std::set<std::string> kKinds{"animal", "animals", "people", "person", "thing", "things"};

TEST(BuiltinKinds, HasSixLabelsThatTakeTurns) {
  const BuiltinCorpus* corpus = find_builtin(kBuiltinKinds);
  ASSERT_NE(corpus, nullptr);
  EXPECT_EQ(corpus->holds, PairKind::label);
  std::set<std::string> seen;
  for (const Split split : {Split::train, Split::valid, Split::test}) {
    const std::vector<Pair> pairs = corpus->make({.split = split, .pairs = 300});
    ASSERT_EQ(pairs.size(), 300u);
    for (std::size_t turn = 0; turn < pairs.size(); turn += kKinds.size()) {
      std::set<std::string> labels;
      for (std::size_t i = turn; i < turn + kKinds.size(); ++i) {
        EXPECT_TRUE(seen.insert(pairs[i].source).second) << pairs[i].source;
        labels.insert(pairs[i].target);
      }
      EXPECT_EQ(labels, kKinds) << turn;
    }
  }
  EXPECT_EQ(corpus->make({.pairs = 20}), corpus->make({.pairs = 20}));
  EXPECT_NE(corpus->make({.pairs = 20}), corpus->make({.pairs = 20, .seed = 2}));
  EXPECT_TRUE(corpus->make({.pairs = 0}).empty());
  EXPECT_THROW(corpus->make({.pairs = corpus->max_pairs(Split::train) + 1}), Error);
}

/// By words that a sentence begins with; others of another kind or number may follow.
TEST(BuiltinKinds, LabelsWhatASentenceIsAbout) {
  struct Beginning {
    const char *words, *label, *other;
  };
  const std::vector<Beginning> known{
      {"The cat ", "animal", "s."},      {"The dogs ", "animals", " the "},
      {"The king ", "person", "s."},     {"Anna ", "person", "s."},
      {"The women ", "people", " a "},   {"The bread ", "thing", "s."},
      {"The books ", "things", " the "}, {"This is a cat", "animal", ""}};
  int told = 0, mixed = 0;
  for (const Pair& pair : builtin_kinds({.pairs = 6000}))
    for (const Beginning& each : known) {
      if (!pair.source.starts_with(each.words)) continue;
      EXPECT_EQ(pair.target, each.label) << pair.source;
      ++told;
      mixed += pair.source.find(each.other) != std::string::npos;
    }
  EXPECT_GT(told, 20);
  EXPECT_GT(mixed, 5);
}

}  // namespace
}  // namespace regard
