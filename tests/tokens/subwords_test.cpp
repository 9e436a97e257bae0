#include "regard/tokens/subwords.h"

#include <gtest/gtest.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "regard/base/check.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/subword_tokenizer.h"
#include "tests/support/warnings.h"
#include "tests/tokens/texts.h"

namespace regard {
namespace {

using testing::awkward_bits;
using testing::awkward_text;
using testing::Draw;
using testing::law;
using testing::sentences;
using testing::Warnings;

class Subwords : public ::testing::TestWithParam<std::string> {
 protected:
  static constexpr Index kSize = 304;
  static std::shared_ptr<const Tokenizer> trained(Index size = kSize) {
    return train_subwords(sentences(), {.size = size, .type = GetParam()});
  }
};

INSTANTIATE_TEST_SUITE_P(Types, Subwords, ::testing::Values("bpe", "unigram"));

TEST_P(Subwords, EveryTextComesBack) {  // covers TK7 TK9
  const auto tokenizer = trained();
  const auto holds = [&](const std::string& text) {
    const auto ids = tokenizer->encode(text);
    for (const std::int32_t id : ids) {
      ASSERT_GT(id, kUnk) << text;
      ASSERT_LT(id, tokenizer->size());
    }
    ASSERT_EQ(tokenizer->decode(ids), normalise(text));
  };
  for (const std::string& bit : awkward_bits()) holds(bit);
  law("subwords: decode(encode(x)) == normalise(x), " + GetParam(), 1000,
      [&](Draw& draw) { holds(awkward_text(draw)); });
}

TEST_P(Subwords, TokensSayWhereTheyComeFrom) {
  const auto tokenizer = trained();
  law("subwords: tokens cover the text, words agree, " + GetParam(), 500, [&](Draw& draw) {
    const std::string text = awkward_text(draw), normal = normalise(text);
    const auto ids = tokenizer->encode(text);
    const auto tokens = tokenizer->tokens(text);
    const auto words = tokenizer->words(ids);
    ASSERT_EQ(tokens.size(), ids.size());
    ASSERT_EQ(words.size(), ids.size());
    std::string joined;
    Index at = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Token& token = tokens[i];
      ASSERT_EQ(token.id, ids[i]);
      ASSERT_EQ(token.text, tokenizer->piece(ids[i]));
      // Only a space may lie between one token and the next.
      ASSERT_TRUE(token.start == at ||
                  (token.start == at + 1 && normal[static_cast<std::size_t>(at)] == ' '));
      ASSERT_LE(token.start, token.end);
      at = token.end;
      const auto before =
          normal.begin() + std::min<Index>(token.start, static_cast<Index>(normal.size()));
      ASSERT_EQ(token.word, std::count(normal.begin(), before, ' '));
      ASSERT_EQ(words[i], token.word);
    }
    ASSERT_EQ(at, static_cast<Index>(normal.size()));
  });
}

TEST_P(Subwords, SegmentsAsSentencePieceDoes) {
  const auto tokenizer = trained();
  sentencepiece::SentencePieceProcessor reference;
  ASSERT_TRUE(reference.LoadFromSerializedProto(tokenizer->bytes()).ok());
  EXPECT_EQ(reference.pad_id(), kPad);
  EXPECT_EQ(reference.bos_id(), kBos);
  EXPECT_EQ(reference.eos_id(), kEos);
  EXPECT_EQ(reference.unk_id(), kUnk);
  law("subwords: same ids as SentencePiece's own encoder, " + GetParam(), 500, [&](Draw& draw) {
    std::string text;
    for (auto n = draw.integer(1, 40); n > 0; --n) {
      const std::string line = sentences()[static_cast<std::size_t>(draw.integer(0, 11))];
      text += line.substr(0, static_cast<std::size_t>(draw.integer(0, 12))) + " ";
    }
    text = normalise(text);
    ASSERT_EQ(tokenizer->encode(text), reference.EncodeAsIds(text));
  });
}

TEST_P(Subwords, TrainingIsDeterministicAndTheFileIsWhole) {
  const auto first = trained(), second = trained();
  EXPECT_EQ(first->bytes(), second->bytes());
  const auto read = tokenizer_of(first->bytes(), "memory");
  EXPECT_EQ(read->bytes(), first->bytes());
  EXPECT_EQ(read->kind(), "subwords");
  EXPECT_EQ(read->type(), GetParam());
  EXPECT_EQ(read->size(), kSize);
  for (const std::string& line : sentences()) EXPECT_EQ(read->encode(line), first->encode(line));
}

TEST_P(Subwords, ASmallTextGivesFewerWithAWarning) {
  const Warnings warnings;
  const auto tokenizer = trained(8000);
  EXPECT_LT(tokenizer->size(), 8000);
  EXPECT_GT(tokenizer->size(), 280);
  ASSERT_EQ(warnings.lines.size(), 1u);
  EXPECT_NE(warnings.lines[0].find("8000 were asked for"), std::string::npos);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("zebra")), "zebra");
}

TEST_P(Subwords, TooSmallOrEmptyIsRefused) {
  const auto fault = [&](std::vector<std::string> lines, Index size, std::string type) {
    try {
      train_subwords(lines, {.size = size, .type = std::move(type)});
    } catch (const Error& error) {
      return error.fault;
    }
    return Fault::bug;
  };
  EXPECT_EQ(fault({}, 300, GetParam()), Fault::input);
  EXPECT_EQ(fault({"", " \t"}, 300, GetParam()), Fault::input);
  EXPECT_EQ(fault({"\u2581 \u2585"}, 300, GetParam()), Fault::input);
  EXPECT_EQ(fault(sentences(), 260, GetParam()), Fault::usage);
  EXPECT_EQ(fault(sentences(), 262, GetParam()), Fault::usage);
  EXPECT_EQ(fault(sentences(), 300, "words"), Fault::usage);
}

TEST_P(Subwords, LearnsFromAnything) {
  const Warnings warnings;
  law("subwords: learn from awkward lines, " + GetParam(), 20, [&](Draw& draw) {
    std::vector<std::string> lines = {"x", "", std::string(10'000, 'y')};
    for (int i = 0; i < 10; ++i) lines.push_back(awkward_text(draw));
    const auto tokenizer = train_subwords(lines, {.size = 500, .type = GetParam()});
    for (const std::string& line : lines)
      ASSERT_EQ(tokenizer->decode(tokenizer->encode(line)), normalise(line));
  });
}

TEST_P(Subwords, TimeIsLinear) {  // covers TK7: 10 MB of one letter, 1 MB without a space
  const auto tokenizer = trained();
  const auto holds = [&](const std::string& text, double limit) {
    const auto start = std::chrono::steady_clock::now();
    const auto ids = tokenizer->encode(text);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count(), limit);
    EXPECT_TRUE(tokenizer->decode(ids) == normalise(text));
  };
  std::string unbroken;
  while (unbroken.size() < 1'000'000) unbroken += "thecatsatonthemat";
  holds(unbroken, 10);
  // Both types get their text in the same stretches; one of them on the longest text is enough.
  holds(std::string(GetParam() == "bpe" ? 10'000'000 : 1'000'000, 'a'), 60);
  holds(std::string(1'000'000, ' '), 10);
}

TEST_P(Subwords, ThreadsMayShareOne) {
  const auto tokenizer = trained();
  const auto expected = tokenizer->encode("the black cat is at home .");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        wrong[t] += tokenizer->encode("the black cat is at home .") != expected;
        wrong[t] += tokenizer->decode(expected) != "the black cat is at home .";
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::vector<int>{0, 0, 0, 0}));
}

TEST_P(Subwords, AnyIdsDecodeToOneLine) {  // covers TK8
  const auto tokenizer = trained();
  law("subwords: any ids in range decode to normalised text, " + GetParam(), 1000, [&](Draw& draw) {
    std::vector<std::int32_t> ids;
    for (auto n = draw.integer(0, 20); n > 0; --n)
      ids.push_back(static_cast<std::int32_t>(draw.integer(0, tokenizer->size() - 1)));
    const std::string text = tokenizer->decode(ids);
    ASSERT_EQ(normalise(text), text);
    const Index words = text.empty() ? 0 : 1 + std::ranges::count(text, ' ');
    for (const Index word : tokenizer->words(ids)) {
      ASSERT_GE(word, -1);
      ASSERT_LT(word, words);
    }
  });
  for (const std::int32_t id : {-1, static_cast<std::int32_t>(kSize), 1 << 30}) {
    EXPECT_THROW(tokenizer->decode(std::vector<std::int32_t>{id}), Error);
    EXPECT_THROW(tokenizer->words(std::vector<std::int32_t>{id}), Error);
    EXPECT_THROW(tokenizer->piece(id), Error);
  }
  EXPECT_EQ(tokenizer->decode(std::vector<std::int32_t>{kPad, kBos, kEos, kEos}), "");
}

TEST(Stretches, TogetherAreTheText) {
  law("stretches: short, whole characters, nothing lost", 500, [](Draw& draw) {
    const std::string text = normalise(awkward_text(draw));
    const auto most = static_cast<std::size_t>(draw.integer(4, 20));
    std::string joined;
    for (const std::string_view part : stretches(text, most)) {
      ASSERT_LE(part.size(), most);
      ASSERT_TRUE(valid_utf8(part));
      joined += part;
    }
    ASSERT_EQ(joined, text);
  });
}

}  // namespace
}  // namespace regard
