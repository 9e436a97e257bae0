#include "regard/tokens/subword_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/tokens/character_map.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/wire.h"
#include "regard/tokens/words.h"
#include "tests/tokens/texts.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

constexpr std::uint64_t kNormal = 1, kUnknown = 2, kControl = 3, kByte = 6;

std::string piece(std::string_view text, float score, std::uint64_t type) {
  std::string message, field;
  put_bytes(message, 1, text);
  put_float(message, 2, score);
  put_number(message, 3, type);
  put_bytes(field, 1, message);
  return field;
}

std::string settings(std::string_view character_map = {}) {
  std::string trainer, normaliser, file;
  put_number(trainer, 3, 2);
  put_bytes(file, 2, trainer);
  if (!character_map.empty()) put_bytes(normaliser, 2, character_map);
  put_bytes(file, 3, normaliser);
  return file;
}

const std::string kSpecialPieces = piece("<pad>", 0, kControl) + piece("<s>", 0, kControl) +
                                   piece("</s>", 0, kControl) + piece("<unk>", 0, kUnknown);
const std::string kSound = kSpecialPieces + piece("\u2581a", -1, kNormal) + settings();

/// The message of the refusal; "accepted" where there is none.
std::string refusal(std::string_view file) {
  try {
    read_subword_model(file, "some.spm");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    return error.what();
  }
  return "accepted";
}

void expect_refused(std::string_view file, std::string_view part) {
  const std::string message = refusal(file);
  EXPECT_NE(message.find("not a SentencePiece model"), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message << "\nexpected: " << part;
}

TEST(SubwordFile, NotAModelAtAll) {  // covers TK1
  EXPECT_EQ(refusal(kSound), "accepted");
  expect_refused("", "no pieces");
  expect_refused("<!DOCTYPE html><html>404</html>", "");
  expect_refused("\x1f\x8b\x08", "gzip");
  expect_refused("just some words\n", "");
  law("random bytes are no model", 500, [](Draw& draw) {
    std::string bytes;
    for (auto n = draw.integer(1, 200); n > 0; --n)
      bytes.push_back(static_cast<char>(draw.integer(0, 255)));
    expect_refused(bytes, "");
  });
}

TEST(SubwordFile, TruncatedAnywhereIsRefused) {  // covers TK1
  const std::string whole = train_subwords(testing::sentences(), {.size = 300})->bytes();
  EXPECT_EQ(refusal(whole), "accepted");
  for (std::size_t size = 0; size < whole.size(); ++size)
    expect_refused(std::string_view(whole).substr(0, size), "");
}

TEST(SubwordFile, WithAnyByteAfterItsEndIsRefused) {  // property 38
  const std::string whole = train_subwords(testing::sentences(), {.size = 300})->bytes();
  for (int byte = 0; byte < 256; ++byte) expect_refused(whole + static_cast<char>(byte), "");
  expect_refused(whole + whole, "the piece '<pad>' twice");
}

TEST(SubwordFile, PackedWithGzipSaysSo) {  // covers TK1
  const std::string path = ::testing::TempDir() + "regard_subword_file_test.spm";
  for (const auto& made : {train_subwords(testing::sentences(), {.size = 300}),
                           word_vocabulary(testing::sentences(), {})}) {
    write_file(path, made->bytes());
    ASSERT_EQ(std::system(("gzip -f '" + path + "'").c_str()), 0);
    const std::string packed = read_file(path + ".gz");
    std::filesystem::remove(path + ".gz");
    EXPECT_GT(packed.size(), 100u);
    expect_refused(packed, "it is compressed with gzip; unpack it first");
    EXPECT_THROW(tokenizer_of(packed, "packed"), Error);
  }
}

TEST(SubwordFile, WireFormat) {  // covers TK2
  const std::string eleven = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  expect_refused(kSound + "\x30" + eleven, "more than 64 bits");
  expect_refused(kSound + eleven, "more than 64 bits");
  expect_refused(kSound +
                     "\x0a\x05"
                     "ab",
                 "longer than what is left");
  expect_refused(kSound + "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                 "longer than what is left");
  expect_refused(kSound + "\x08\x01", "wrong type");  // a piece as a number
  expect_refused(kSound + "\x12\x02\x1a", "longer than what is left");
  std::string text_as_number, number_as_text;
  put_number(text_as_number, 1, 7);
  put_bytes(number_as_text, 3, "x");
  std::string file = kSound;
  put_bytes(file, 1, text_as_number);
  expect_refused(file, "the text of a piece is of the wrong type");
  file = kSound;
  put_bytes(file, 2, number_as_text);
  expect_refused(file, "the kind of model is of the wrong type");
  expect_refused(kSound + std::string(1'000'000, '\x0b'), "type that models do not use");
  expect_refused(kSound + std::string("\x00\x00", 2), "out of range");
  std::string unknown = kSound;
  put_number(unknown, 77, 1);
  put_bytes(unknown, 200, "extension");
  put_float(unknown, 78, 1);
  unknown += std::string("\xf9\x04", 2) + std::string(8, '\0');
  EXPECT_EQ(refusal(unknown), "accepted");
}

TEST(SubwordFile, Pieces) {  // covers TK3 TK5 TK6
  const auto with = [](const std::string& more) { return kSpecialPieces + more + settings(); };
  expect_refused(with(piece(std::string(1'000'000, 'a'), 0, kNormal)), "limit is 1024");
  EXPECT_EQ(refusal(with(piece(std::string(1024, 'a'), 0, kNormal))), "accepted");
  expect_refused(with(piece("a", 0, kNormal) + piece("a", -1, kNormal)), "'a' twice");
  expect_refused(with(piece("", 0, kNormal)), "empty piece");
  expect_refused(with(piece(std::string_view("a\0b", 3), 0, kNormal)), "NUL");
  expect_refused(with(piece("\xff", 0, kNormal)), "not UTF-8");
  expect_refused(with(piece("u", 0, kUnknown)), "one unknown piece, found 2");
  expect_refused(piece("a", 0, kNormal) + settings(), "one unknown piece, found 0");
  expect_refused(with(piece("a", 0, 7)), "unknown type");
  expect_refused(with(piece("a", 0, 0)), "unknown type");
  for (const char* byte :
       {"<0x-1>", "<0xZZ>", "<0x100>", "<0x1>", "<0xab>", "<0x+1>", "<0x 1>", "A"})
    expect_refused(with(piece(byte, 0, kByte)), "a byte piece spelt");
  EXPECT_EQ(refusal(with(piece("<0xAB>", 0, kByte))), "accepted");
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float score : {std::nanf(""), kInfinity, -kInfinity, 1e38F, -1e38F})
    expect_refused(with(piece("a", score, kNormal)), "not finite");
  expect_refused(kSpecialPieces + piece("a", 0, kNormal), "settings are missing");
}

// A map of one block: root's children at 0 ^ 1 = 1 .. with 'a' leading to one replacement.
struct Map {
  std::vector<std::uint32_t> units = std::vector<std::uint32_t>(256, 0);
  std::string replacements{"b\0", 2};

  Map() {
    units[0] = 1u << 10;                        // children at 0 ^ 1
    units[1 ^ 'a'] = 'a' | 1u << 8 | 2u << 10;  // has a value; children at itself ^ 2
    units[1 ^ 'a' ^ 2] = 1u << 31 | 0;          // the value: replacement 0
  }
  std::string bytes() const {
    std::string result(4 + 4 * units.size(), '\0');
    const auto size = static_cast<std::uint32_t>(4 * units.size());
    std::memcpy(result.data(), &size, 4);
    std::memcpy(result.data() + 4, units.data(), size);
    return result + replacements;
  }
};

TEST(SubwordFile, CharacterMap) {  // covers TK4
  const Map sound;
  EXPECT_EQ(character_map_flaw(sound.bytes()), "");
  EXPECT_EQ(character_map_flaw(""), "");
  EXPECT_EQ(refusal(kSpecialPieces + settings(sound.bytes())), "accepted");
  const auto flawed = [](auto spoil) {
    Map map;
    spoil(map);
    expect_refused(kSpecialPieces + settings(map.bytes()), "character map is broken");
    return character_map_flaw(map.bytes());
  };
  EXPECT_EQ(flawed([](Map& map) { map.units[0] = 256u << 10; }),
            "a node's children lie outside the trie");
  EXPECT_EQ(flawed([](Map& map) { map.units[0] |= 1u << 31; }), "the trie's root is a value");
  EXPECT_EQ(flawed([](Map& map) { map.units[1 ^ 'a' ^ 2] = 1u << 31 | 2; }),
            "a value points outside the replacements");
  EXPECT_EQ(flawed([](Map& map) { map.units[1 ^ 'a'] = 'a' | (('a') ^ 0u) << 10; }),
            "the trie has a cycle");
  EXPECT_EQ(flawed([](Map& map) { map.replacements = "b"; }), "the replacements do not end in NUL");
  EXPECT_EQ(flawed([](Map& map) { map.replacements.clear(); }),
            "the replacements do not end in NUL");
  EXPECT_EQ(flawed([](Map& map) { map.units.resize(255); }),
            "the trie is not whole blocks of 256 units");
  std::string longer = sound.bytes();
  longer[3] = '\x7f';
  EXPECT_EQ(character_map_flaw(longer), "the trie is longer than the map");
  EXPECT_EQ(character_map_flaw("abc"), "shorter than its length field");
}

TEST(SubwordFile, FlippedBitsAreRefusedOrHarmless) {  // covers TK5 TK6
  for (const char* type : {"bpe", "unigram"}) {
    const std::string whole =
        train_subwords(testing::sentences(), {.size = 304, .type = type})->bytes();
    law(std::string("a model with flipped bits, ") + type, 300, [&](Draw& draw) {
      std::string bytes = whole;
      for (auto n = draw.integer(1, 3); n > 0; --n)
        bytes[static_cast<std::size_t>(
            draw.integer(0, static_cast<std::int64_t>(bytes.size()) - 1))] ^=
            static_cast<char>(1 << draw.integer(0, 7));
      try {
        const auto tokenizer = tokenizer_of(bytes, "flipped");
        const std::string text = testing::awkward_text(draw) + " the black cat";
        for (const std::int32_t id : tokenizer->encode(text)) {
          ASSERT_GE(id, kUnk);
          ASSERT_LT(id, tokenizer->size());
        }
        ASSERT_EQ(tokenizer->decode(tokenizer->encode(text)), normalise(text));
      } catch (const Error& error) {
        ASSERT_EQ(error.fault, Fault::input) << error.what();
      }
    });
  }
}

TEST(SubwordFile, ModelsThatCannotBeUsedSaySo) {
  const auto message = [](const std::string& file) -> std::string {
    try {
      tokenizer_of(file, "some.spm");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message(kSound).find("no byte fallback"), std::string::npos);
  EXPECT_NE(message(piece("<unk>", 0, kUnknown) + piece("<s>", 0, kControl) + settings())
                .find("id 0 must be the special piece for padding, but is '<unk>'"),
            std::string::npos);
  EXPECT_NE(
      message(kSpecialPieces + piece("x", 0, kControl) + settings()).find("is a single character"),
      std::string::npos);
}

TEST(SubwordFile, AModelNeedsAPieceForASpace) {
  SubwordModel model =
      read_subword_model(train_subwords(testing::sentences(), {.size = 304})->bytes(), "whole");
  const auto bare = tokenizer_of(bare_subword_file(model), "bare");
  EXPECT_EQ(bare->decode(bare->encode("the \U0001F600 cat")), "the \U0001F600 cat");
  std::erase_if(model.pieces, [](const SubwordPiece& piece) { return piece.text == "\u2581"; });
  EXPECT_THROW(tokenizer_of(bare_subword_file(model), "spoilt"), Error);
}

TEST(SubwordFile, ARealModelPassesAndItsTruncationsDoNot) {  // covers TK1 TK4
  const std::string path =
      REGARD_SOURCE_DIR "/../shared/data/models/sentencepiece/vocab.deen.spm.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no ../shared/data";
  FILE* unpacked = popen(("gzip -dc '" + path + "'").c_str(), "r");
  ASSERT_NE(unpacked, nullptr);
  expect_refused(read_file(path), "it is compressed with gzip; unpack it first");
  std::string bytes(1 << 20, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), unpacked));
  pclose(unpacked);
  const SubwordModel model = read_subword_model(bytes, path);
  EXPECT_EQ(model.pieces.size(), 32000u);
  EXPECT_TRUE(model.own_normalisation);
  for (std::size_t size = 0; size + 2 < bytes.size(); size += 99'733)
    expect_refused(std::string_view(bytes).substr(0, size), "");
}

}  // namespace
}  // namespace regard
