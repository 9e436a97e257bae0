#include "regard/cli/generate/continued.h"

#include <gtest/gtest.h>

#include "regard/tokens/normalise.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

std::int32_t id_of(const Tokenizer& tokenizer, const std::string& piece) {
  for (Index id = 0; id < tokenizer.size(); ++id)
    if (tokenizer.piece(static_cast<std::int32_t>(id)) == piece)
      return static_cast<std::int32_t>(id);
  ADD_FAILURE() << "no piece " << piece;
  return kUnk;
}

/// The text is the prompt as it was typed, then what was added, and what a reader of all ids would
/// see, but for white space that was typed before what joins the last word.
TEST(Continued, BeginsAsTypedAndGoesOnAsDecoded) {
  const auto tokenizer = testing::small_words({.subwords = true}).first;
  for (const std::string prompt :
       {"the black", "  the\tbl", "cat . ", "a\u00A0\n", "the \t", "\u00FC"})
    for (const std::vector<std::int32_t>& added :
         {std::vector<std::int32_t>(),
          tokenizer->encode("cat sleeps"),
          {id_of(*tokenizer, "<0x73>")}}) {  // the last joins the word before it
      std::vector<std::int32_t> ids = tokenizer->encode(prompt);
      const std::size_t given = ids.size();
      ids.insert(ids.end(), added.begin(), added.end());
      const auto [text, continuation] = continued(prompt, given, ids, *tokenizer);
      EXPECT_EQ(text, prompt + continuation);
      const bool spaced = !prompt.ends_with(normalise(prompt).back());
      const bool joins = added.size() == 1;
      EXPECT_EQ(continuation.starts_with(' '), !added.empty() && !joins && !spaced) << prompt;
      EXPECT_EQ(normalise(joins ? normalise(prompt) + continuation : text), tokenizer->decode(ids));
    }
}

TEST(Continued, MayChangeTheLastLetter) {
  const auto tokenizer = testing::small_words({.subwords = true}).first;
  std::vector<std::int32_t> ids = tokenizer->encode("the");
  const std::size_t given = ids.size();
  for (const char* byte : {"<0xCC>", "<0x81>"}) ids.push_back(id_of(*tokenizer, byte));
  const auto [text, continuation] = continued(" the", given, ids, *tokenizer);
  EXPECT_EQ(text, " the" + continuation);
  EXPECT_EQ(normalise(text), "th\u00E9");
}

/// Whatever was typed, one line without what moves a cursor, character for character.
TEST(OnALine, HoldsTheSameCharacters) {
  const std::vector<std::pair<std::string, std::string>> parts{
      {"a", "a"},      {" ", " "},      {"\u00E9", "\u00E9"}, {"\u6F22", "\u6F22"}, {"\n", " "},
      {"\t", " "},     {"\r", " "},     {"\x1B", " "},        {"\x7F", " "},        {"\u0085", " "},
      {"\u2028", " "}, {"\u00A0", " "}, {"\xFF", "\uFFFD"},   {"\xC3", "\uFFFD"}};
  std::string typed, shown;
  for (const auto& [part, line] : parts)
    for (const auto& [other, other_line] : parts) {
      typed += part + other;
      shown += line + other_line;
      EXPECT_EQ(on_a_line(part + other), line + other_line);
    }
  EXPECT_EQ(on_a_line(typed), shown);
  EXPECT_EQ(on_a_line(""), "");
}

}  // namespace
}  // namespace regard
