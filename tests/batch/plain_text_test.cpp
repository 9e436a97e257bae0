// A text that is no translation of anything.
#include "regard/batch/plain_text.h"

#include <set>

#include "regard/batch/builtin/corpus.h"
#include "tests/batch/batch_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using namespace std::string_literals;
using testing::Draw;
using testing::expect_fault;

class PlainText : public testing::InFolder {};

/// What the reader promises, said in another way: the lines that hold a word, each once if asked.
std::vector<Pair> expected(const std::vector<std::string>& lines, bool once) {
  std::vector<Pair> kept;
  std::set<std::string> seen;
  for (const std::string& line : lines)
    if (line.find_first_not_of(' ') != std::string::npos && (seen.insert(line).second || !once))
      kept.push_back({.source = "", .target = line});
  return kept;
}

TEST_F(PlainText, IsItsLinesWithoutTheEmptyAndThoseSeenBefore) {
  testing::law("lines of a text", 40, [&](Draw& draw) {
    const std::vector<std::string> words{"", " ", "a", "a b", "b\tc", "été.", "a  "};
    std::vector<std::string> lines{"never empty"};
    std::string bytes = lines.front() + "\n";
    for (Index n = draw.integer(0, 12); n > 0; --n) {
      lines.push_back(words[static_cast<std::size_t>(draw.integer(0, 6))]);
      bytes += lines.back() + (draw.coin() ? "\n" : "\r\n");
    }
    Filters filters;
    filters.drop_duplicates = draw.coin();
    const std::vector<Pair> kept = expected(lines, filters.drop_duplicates);
    const std::string path = write("text", draw.coin() ? bytes : testing::gzip(bytes));
    EXPECT_EQ(read_text(path, filters, report_), kept);
    EXPECT_EQ(report_.read, static_cast<Index>(lines.size()));
    EXPECT_EQ(report_.kept, static_cast<Index>(kept.size()));
    const std::string said = report_.text();
    const std::string counted = lines.size() == 1 ? " line, kept " : " lines, kept ";
    EXPECT_TRUE(said.starts_with("read " + std::to_string(lines.size()) + counted)) << said;

    std::vector<Pair> given;
    for (const std::string& line : lines) given.push_back({.source = "", .target = line});
    EXPECT_EQ(filter_text("text", given, filters, report_), kept);
    EXPECT_EQ(report_.text(), said);
  });
}

/// Nothing of a line counts that is about its translation: neither its length nor its words.
TEST_F(PlainText, MayHaveLinesOfAnyLength) {
  std::string longest;
  for (int i = 0; i < 2000; ++i) longest += "w" + std::to_string(i) + " ";
  Filters filters;
  filters.drop_identical = true;
  EXPECT_EQ(read_text(write("text", longest + "\n"), filters, report_),
            (std::vector<Pair>{{.source = "", .target = longest}}));
}

TEST_F(PlainText, CountsLinesThatAreNotText) {
  const std::string path = write("text", "good\nbad \xFF\na\0b\nc\rd\n"s);
  EXPECT_EQ(read_text(path, {}, report_).size(), 1u);
  const std::string said = report_.text();
  for (const std::string& part : {"read 4 lines, kept 1"s, "1 not valid UTF-8"s,
                                  "1 NUL inside the line"s, path + ":2: not valid UTF-8"})
    EXPECT_NE(said.find(part), std::string::npos) << said;
  Filters strict;
  strict.on_bad_line = "stop";
  expect_fault(Fault::input, {path + ":2: not valid UTF-8"},
               [&] { read_text(path, strict, report_); });
}

TEST_F(PlainText, WithNothingInItIsAnError) {
  expect_fault(Fault::input, {"no line is left to use", "read 2 lines, kept 0", "2 empty"},
               [&] { read_text(write("text", "\n \n"), {}, report_); });
  expect_fault(Fault::input, {"empty corpus"}, [&] { read_text(write("none", ""), {}, report_); });
}

TEST_F(PlainText, IsToldFromParallelTextByItsName) {
  for (const char* name : {"a.tsv", "b/a.po", "a.pot", "a.tmx", "a.tsv.gz", "a.en.tmx.gz"})
    EXPECT_TRUE(is_named_parallel(name)) << name;
  for (const char* name : {"", "-", "a", "a.en", "a.txt", "a.txt.gz", "tsv", "a.tsv.txt", "a.tsvx"})
    EXPECT_FALSE(is_named_parallel(name)) << name;
}

TEST(BuiltinEn, IsTheEnglishOfTheParallelCorpus) {
  const BuiltinCorpus *english = find_builtin(kBuiltinEn), *both = find_builtin(kBuiltinEnFr);
  EXPECT_FALSE(english->is_parallel());
  EXPECT_TRUE(both->is_parallel());
  EXPECT_EQ(english->version, both->version);
  EXPECT_EQ(english->target, both->source);
  EXPECT_FALSE(english->is_reversed("fr", "en"));
  for (const Split split : {Split::train, Split::valid, Split::test}) {
    const BuiltinSpec spec{.split = split, .pairs = 40, .seed = 3};
    const std::vector<Pair> pairs = both->make(spec), lines = english->make(spec);
    ASSERT_EQ(lines.size(), pairs.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
      EXPECT_EQ(lines[i], (Pair{.source = "", .target = pairs[i].source}));
  }
}

}  // namespace
}  // namespace regard
