// What holds of vocabularies of either kind.
#include "regard/tokens/tokenizer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "tests/tokens/texts.h"

namespace regard {
namespace {

std::string refusal(const std::string& path) {
  try {
    load_tokenizer(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    return error.what();
  }
  return "accepted";
}

TEST(Tokenizer, FilesAreToldApartByContent) {  // covers TK1
  const std::string path = ::testing::TempDir() + "regard_tokenizer_test.vocab";
  for (const auto& made : {word_vocabulary(testing::sentences(), {}),
                           train_subwords(testing::sentences(), {.size = 300})}) {
    write_file(path, made->bytes());
    const auto read = load_tokenizer(path);
    EXPECT_EQ(read->kind(), made->kind());
    EXPECT_EQ(read->bytes(), made->bytes());
    EXPECT_EQ(read->encode("the cat sat"), made->encode("the cat sat"));
  }
  for (const std::string& content : {std::string(), std::string("<html>no such page</html>"),
                                     std::string("the\ncat\n"), std::string(100, '\0')}) {
    write_file(path, content);
    const std::string message = refusal(path);
    EXPECT_TRUE(message.starts_with(path)) << message;
    EXPECT_NE(message.find("not a SentencePiece model"), std::string::npos) << message;
  }
  std::filesystem::remove(path);
  EXPECT_TRUE(refusal(path).starts_with(path));
}

TEST(Tokenizer, WordsOfProducedIds) {
  const auto subwords = train_subwords(testing::sentences(), {.size = 300});
  std::vector<std::int32_t> ids = {kBos};
  std::vector<Index> expected = {-1};
  Index word = 0;
  for (const char* text : {"the", "zq\U0001F600", "cat"}) {
    for (const std::int32_t id : subwords->encode(text)) {
      ids.push_back(id);
      expected.push_back(word);
    }
    ++word;
  }
  ids.push_back(kEos);
  expected.push_back(-1);
  EXPECT_EQ(subwords->decode(ids), "the zq\U0001F600 cat");
  EXPECT_EQ(subwords->words(ids), expected);
  // Space alone belongs to the word after it, at the end to the word before it.
  const std::int32_t space = subwords->encode("\U0001F600")[0];
  ASSERT_EQ(subwords->piece(space), "\u2581");
  const std::int32_t letter = subwords->encode("a")[0];
  EXPECT_EQ(subwords->words(std::vector<std::int32_t>{space, letter, space, letter, space}),
            (std::vector<Index>{0, 0, 1, 1, 1}));
  EXPECT_EQ(subwords->words(std::vector<std::int32_t>{space, kPad}), (std::vector<Index>{-1, -1}));
}

}  // namespace
}  // namespace regard
