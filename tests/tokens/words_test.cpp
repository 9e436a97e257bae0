#include "regard/tokens/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "regard/base/check.h"
#include "regard/tokens/normalise.h"
#include "tests/tokens/texts.h"

namespace regard {
namespace {

using testing::awkward_text;
using testing::Draw;
using testing::law;

std::vector<std::string> pieces(const Tokenizer& tokenizer) {
  std::vector<std::string> result;
  for (std::int32_t id = 0; id < tokenizer.size(); ++id) result.push_back(tokenizer.piece(id));
  return result;
}

Fault fault_of(const std::string& file, std::string& message) {
  try {
    tokenizer_of(file, "some.vocab");
  } catch (const Error& error) {
    message = error.what();
    return error.fault;
  }
  message = "accepted";
  return Fault::bug;
}

TEST(Words, OrderIsFrequencyThenText) {
  const std::vector<std::string> lines = {"b a c", "c  b", "c d", "a"};
  EXPECT_EQ(pieces(*word_vocabulary(lines, {.min_frequency = 1})),
            (std::vector<std::string>{"<pad>", "<bos>", "<eos>", "<unk>", "c", "a", "b", "d"}));
  EXPECT_EQ(pieces(*word_vocabulary(lines, {})),
            (std::vector<std::string>{"<pad>", "<bos>", "<eos>", "<unk>", "c", "a", "b"}));
  EXPECT_EQ(word_vocabulary(lines, {.most = 5})->size(), 5);
}

TEST(Words, TokenisedTextPassesThrough) {
  const std::vector<std::string> lines = {"i'm home .", "i 'm home ."};
  const auto words = word_vocabulary(lines, {.min_frequency = 1});
  for (const std::string& line : lines) EXPECT_EQ(words->decode(words->encode(line)), line);
  const std::vector<std::int32_t> all = {kBos, words->encode("home")[0], kUnk, kEos, kPad};
  EXPECT_EQ(words->decode(all), "home <unk>");
  EXPECT_EQ(words->words(all), (std::vector<Index>{-1, 0, 1, -1, -1}));
  EXPECT_EQ(words->kind(), "words");
}

TEST(Words, WrittenTextComesBack) {
  const std::vector<std::string> lines = {"I'm home.", "Où est l'homme ?", "\"It isn't!\" (3.5)"};
  const auto words = word_vocabulary(lines, {.min_frequency = 1});
  for (const std::string& line : lines) EXPECT_EQ(words->decode(words->encode(line)), line);
  EXPECT_EQ(words->piece(words->encode("x.")[1]), "‿.");
  EXPECT_EQ(words->decode(words->encode("Is he home?")), "<unk> <unk> home <unk>");
}

TEST(Words, TokensSayWhereTheyStand) {
  const std::vector<std::string> lines = {"Hello, \"world\"?! 3.5 ..."};
  const auto words = word_vocabulary(lines, {.min_frequency = 1, .lower_case = true});
  std::vector<std::string> texts;
  std::vector<Index> indices;
  for (const Token& token : words->tokens("HELLO, x; 3.5")) {
    texts.push_back(token.text);
    indices.push_back(token.word);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"hello", "‿,", "x", "‿;", "3", "‿.", "‿5"}));
  EXPECT_EQ(indices, (std::vector<Index>{0, 0, 1, 1, 2, 2, 2}));
  EXPECT_EQ(words->decode(words->encode(lines[0])), "hello, \"world\"?! 3.5 ...");
}

// A vocabulary of version 1 cuts and joins as it did when it was made.
TEST(Words, OldFilesKeepTheirWays) {
  const std::string words = "<pad>\n<bos>\n<eos>\n<unk>\n.\nhello\n,\n3.5\nhello,\n";
  const auto split =
      tokenizer_of("regard words 1 lower_case=1 split_punctuation=1 size=9\n" + words, "x");
  EXPECT_EQ(split->encode("HELLO, x 3.5."), (std::vector<std::int32_t>{5, 6, kUnk, 7, 4}));
  EXPECT_EQ(split->decode(split->encode("HELLO, x 3.5.")), "hello , <unk> 3.5 .");
  const auto plain =
      tokenizer_of("regard words 1 lower_case=0 split_punctuation=0 size=9\n" + words, "x");
  EXPECT_EQ(plain->encode("hello, hello . Hello"), (std::vector<std::int32_t>{8, 5, 4, kUnk}));
  EXPECT_EQ(plain->decode(plain->encode("hello, hello .")), "hello, hello .");
  EXPECT_EQ(plain->bytes(), "regard words 1 lower_case=0 split_punctuation=0 size=9\n" + words);
}

TEST(Words, Laws) {
  for (const bool split : {false, true}) {
    const auto words =
        word_vocabulary(testing::sentences(), {.min_frequency = 1, .split_punctuation = split});
    law("words: ids in range, no specials from text, spans", 500, [&](Draw& draw) {
      // covers TK7 TK9
      const std::string text = awkward_text(draw), normal = normalise(text);
      const auto ids = words->encode(text);
      const auto tokens = words->tokens(text);
      ASSERT_EQ(ids.size(), tokens.size());
      Index end = 0, spaces = 0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const Token& token = tokens[i];
        ASSERT_GE(ids[i], kUnk);
        ASSERT_LT(ids[i], words->size());
        ASSERT_EQ(token.id, ids[i]);
        if (token.start > end) {
          ASSERT_EQ(token.start, end + 1);
          ASSERT_EQ(normal[static_cast<std::size_t>(end)], ' ');
          ++spaces;
        }
        ASSERT_EQ(token.word, spaces);
        const bool marked = i > 0 && token.start == end;
        ASSERT_EQ(token.text, (marked ? "‿" : "") +
                                  normal.substr(static_cast<std::size_t>(token.start),
                                                static_cast<std::size_t>(token.end - token.start)));
        end = token.end;
      }
      ASSERT_EQ(end, static_cast<Index>(normal.size()));
    });
  }
  law("words: text of known words comes back", 300, [&](Draw& draw) {
    const std::string text = awkward_text(draw) + " a";
    const auto words =
        word_vocabulary(std::vector{text}, {.min_frequency = 1, .split_punctuation = draw.coin()});
    const auto ids = words->encode(text);
    if (std::ranges::find(ids, kUnk) == ids.end()) {
      ASSERT_EQ(words->decode(ids), normalise(text));
    }
  });
  law("words: saved and read again is the same", 50, [&](Draw& draw) {
    std::vector<std::string> lines = {"a"};
    for (int i = 0; i < 5; ++i) lines.push_back(awkward_text(draw));
    const auto made = word_vocabulary(
        lines, {.min_frequency = 1, .lower_case = draw.coin(), .split_punctuation = draw.coin()});
    const auto read = tokenizer_of(made->bytes(), "memory");
    ASSERT_EQ(read->bytes(), made->bytes());
    for (const std::string& line : lines) ASSERT_EQ(read->encode(line), made->encode(line));
  });
}

TEST(Words, SpecialsInTheCorpusAreNotWords) {  // covers TK9
  const std::vector<std::string> lines = {"<pad> </s> <eos> x", "<pad> </s> <eos> x"};
  const auto words = word_vocabulary(lines, {.split_punctuation = false});
  EXPECT_EQ(words->size(), 6);
  EXPECT_EQ(words->encode("<pad> <bos> <eos> <unk>"), (std::vector<std::int32_t>(4, kUnk)));
  const auto split = word_vocabulary(lines, {});
  EXPECT_EQ(split->decode(split->encode(lines[0])), lines[0]) << "ordinary text";
}

void check_broken_files(const std::string& version) {
  const std::string head = "regard words " + version + " lower_case=0 split_punctuation=0 size=";
  const std::string specials = "<pad>\n<bos>\n<eos>\n<unk>\n";
  std::string message;
  EXPECT_EQ(tokenizer_of(head + "5\n" + specials + "a\n", "x")->size(), 5);
  const std::pair<std::string, std::string> cases[] = {
      {head + "6\n" + specials + "a\na\n", "some.vocab:7: the word 'a' is already on line 6"},
      {head + "5\n<pad>\n<eos>\n<bos>\n<unk>\na\n",
       "some.vocab:3: expected the special word <bos>"},
      {head + "5\n" + specials + "<pad>\n", "special word"},
      {head + "5\n" + specials + "\n", "some.vocab:6: not a word"},
      {head + "5\n" + specials + "a b\n", "not a word"},
      {head + "5\n" + specials + "\xff\n", "not a word"},
      {head + "5\n" + specials + "e\u0301\n", "not a word"},
      {head + "5\n" + specials + std::string(2000, 'a') + "\n", "2000 bytes"},
      {head + "5\n" + specials + "a", "truncated"},
      {head + "7\n" + specials + "a\n", "promises 7 words, the file has 5"},
      {head + "2147483648\n" + specials + "a\n", "promises 2147483648"},
      {head + "99999999999999999999\n" + specials, "broken header"},
      {head + "-5\n" + specials, "broken header"},
      {head + "05\n" + specials + "a\n", "broken header"},
      {head + "3\n<pad>\n<bos>\n<eos>\n", "broken header"},
      {head + "5 x=1\n" + specials + "a\n", "broken header"},
      {"regard words 3 size=5\n", "version"},
      {"regard words 2 size=5\n", "broken header"},
      {"regard words ", "truncated"},
  };
  for (const auto& [file, part] : cases) {
    EXPECT_EQ(fault_of(file, message), Fault::input) << file;
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nexpected: " << part;
  }
}

TEST(Words, BrokenFilesAreRefused) {  // covers TK10
  check_broken_files("1");
  check_broken_files("2");
}

TEST(Words, TruncatedAnywhereIsRefused) {
  const std::string whole = word_vocabulary(testing::sentences(), {})->bytes();
  std::string message;
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(fault_of(whole.substr(0, size), message), Fault::input) << size;
}

TEST(Words, WithAnythingAfterTheirEndAreRefused) {  // property 38
  const std::string whole = word_vocabulary(testing::sentences(), {})->bytes();
  std::string message;
  for (int byte = 0; byte < 256; ++byte)
    EXPECT_EQ(fault_of(whole + static_cast<char>(byte), message), Fault::input) << byte;
  EXPECT_EQ(fault_of(whole + "unheard\n", message), Fault::input);
  EXPECT_NE(message.find("the header promises"), std::string::npos) << message;
}

TEST(Words, TimeIsLinear) {  // covers TK7: 10 MB of one letter, 1 MB of spaces
  const std::vector<std::string> lines = {std::string(10'000'000, 'a'), std::string(1'000'000, ' '),
                                          "a b a b"};
  const auto start = std::chrono::steady_clock::now();
  const auto words = word_vocabulary(lines, {});
  EXPECT_EQ(pieces(*words),
            (std::vector<std::string>{"<pad>", "<bos>", "<eos>", "<unk>", "a", "b"}));
  EXPECT_EQ(words->encode(lines[0]), std::vector<std::int32_t>{kUnk});
  EXPECT_TRUE(words->encode(lines[1]).empty());
  EXPECT_EQ(words->tokens(lines[0]).at(0).end, 10'000'000);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 10);
}

TEST(Words, NothingToLearnFrom) {
  const std::vector<std::string> blank = {"", " \t "}, once = {"a b"};
  EXPECT_THROW(word_vocabulary(blank, {}), Error);
  EXPECT_THROW(word_vocabulary(once, {.min_frequency = 2}), Error);
  EXPECT_THROW(word_vocabulary(once, {.min_frequency = 0}), Error);
  EXPECT_THROW(word_vocabulary(once, {.min_frequency = 1, .most = 4}), Error);
}

TEST(Words, IdsOutsideAreRefused) {  // covers TK8
  const auto words = word_vocabulary(testing::sentences(), {});
  for (const std::int32_t id : {-1, static_cast<std::int32_t>(words->size()), 1 << 30}) {
    const std::vector<std::int32_t> ids = {id};
    EXPECT_THROW(words->decode(ids), Error);
    EXPECT_THROW(words->words(ids), Error);
    EXPECT_THROW(words->piece(id), Error);
  }
  EXPECT_EQ(words->decode(std::vector<std::int32_t>{kPad, kBos, kEos}), "");
}

}  // namespace
}  // namespace regard
