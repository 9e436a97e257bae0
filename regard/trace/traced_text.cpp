#include "regard/trace/traced_text.h"

#include <algorithm>

#include "regard/tokens/normalise.h"
#include "regard/tokens/spaced_words.h"

namespace regard {
namespace {

TracedText completed(std::string text, std::vector<Token> tokens) {
  const auto size = static_cast<Index>(text.size());
  tokens.push_back({.id = kEos, .text = "</s>", .start = size, .end = size, .word = -1});
  std::vector<std::string> words = spaced_words(text);
  return {std::move(text), std::move(tokens), std::move(words)};
}

/// How many bytes two texts share at the front, cut between characters.
std::size_t shared_bytes(std::string_view text, std::string_view other) {
  const auto differs = std::ranges::mismatch(text, other).in1;
  auto size = static_cast<std::size_t>(differs - text.begin());
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80)
    --size;
  return size;
}

}  // namespace

std::vector<std::int32_t> TracedText::ids() const {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) ids.push_back(tokens[i].id);
  return ids;
}

std::vector<Index> TracedText::word_of() const {
  std::vector<Index> words_of_tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) words_of_tokens.push_back(tokens[i].word);
  return words_of_tokens;
}

std::string token_text(const Tokenizer& tokenizer, std::int32_t id) {
  return id == kBos ? "<s>" : id == kEos ? "</s>" : tokenizer.piece(id);
}

TracedText given_text(const Tokenizer& tokenizer, std::string_view text) {
  return completed(normalise(text), tokenizer.tokens(text));
}

// What a token adds cannot be read off its spelling: decoding composes letters with their accents
// and bytes to characters across tokens. So the text of the tokens so far is compared with all.
TracedText generated_text(const Tokenizer& tokenizer, std::span<const std::int32_t> ids) {
  const std::string text = tokenizer.decode(ids);
  const std::vector<Index> words = tokenizer.words(ids);
  std::vector<Token> tokens;
  std::size_t at = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool last = i + 1 == ids.size();
    const std::size_t end =
        last ? text.size() : std::max(at, shared_bytes(text, tokenizer.decode(ids.first(i + 1))));
    const bool spaced = at < end && text[at] == ' ';
    tokens.push_back({.id = ids[i],
                      .text = token_text(tokenizer, ids[i]),
                      .start = static_cast<Index>(at + (spaced ? 1 : 0)),
                      .end = static_cast<Index>(end),
                      .word = words[i]});
    at = end;
  }
  return completed(text, std::move(tokens));
}

}  // namespace regard
