#include "regard/decode/line.h"

#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Draw;

const std::vector<std::string> kText{"the cat sleeps . the dog doesn't !", "a b c d e f g h i j"};

std::string some_line(Draw& draw) {
  const std::vector<std::string> parts{"the",    "cat",    " ", ".",    "doesn't",
                                       "\u00e9", "\u6f22", "j", "\xFF", "  "};
  std::string line;
  for (Index n = draw.integer(0, 20); n > 0; --n)
    line += parts[static_cast<std::size_t>(draw.integer(0, 9))];
  return line;
}

TEST(LineSource, CutsALineIntoAllOfItsTokens) {
  const auto subwords = train_subwords(kText, {.size = 300});
  const auto words = word_vocabulary(kText, {.min_frequency = 1});
  testing::law("pieces of a line", 100, [&](Draw& draw) {
    const Tokenizer& tokenizer = draw.coin() ? *subwords : *words;
    const std::string text = some_line(draw);
    const Index most = draw.integer(1, 9);
    const LineSource line = line_source(tokenizer, text, most);
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < line.pieces(); ++i) {
      const std::vector<std::int32_t> ids = line.ids(i);
      ASSERT_GE(ids.size(), 2u);
      EXPECT_LE(static_cast<Index>(ids.size()), most + 1);
      EXPECT_EQ(ids.back(), kEos);
      all.insert(all.end(), ids.begin(), ids.end() - 1);
    }
    EXPECT_EQ(all, tokenizer.encode(text));
  });
}

TEST(LineSource, RefusesPiecesOfNoToken) {
  const auto words = word_vocabulary(kText, {.min_frequency = 1});
  for (const Index most : {0, -1}) EXPECT_THROW(line_source(*words, "the cat", most), Error);
}

}  // namespace
}  // namespace regard
