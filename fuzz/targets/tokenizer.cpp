#include "regard/tokens/tokenizer.h"

#include <algorithm>

#include "fuzz/small_subwords.h"
#include "fuzz/target.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/words.h"

namespace regard::targets {
namespace {

/// The promises of tokenizer.h and normalise.h for any text.
void check_tokens(const Tokenizer& tokenizer, std::string_view text) {
  const std::string normal = normalise(text);
  const std::vector<std::int32_t> ids = tokenizer.encode(text);
  const std::vector<Token> tokens = tokenizer.tokens(text);
  law(tokens.size() == ids.size(), "tokens are not the ids");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Token& token = tokens[i];
    law(token.id == ids[i] && token.id >= kUnk && token.id < tokenizer.size(), "id ", token.id);
    law(0 <= token.start && token.start <= token.end &&
            token.end <= static_cast<Index>(normal.size()) && token.word >= 0,
        "a token stands outside its text");
  }
  law(tokenizer.words(ids).size() == ids.size(), "a token belongs to no word");
  const std::string said = tokenizer.decode(ids);
  law(valid_utf8(said) && normalise(said) == said, "what is said is not normalised");
  if (std::ranges::find(ids, kUnk) == ids.end()) law(said == normal, "another text comes back");
}

void try_tokenizer(std::string_view bytes) {
  static const auto subwords = tokenizer_of(small_subword_file(), "subwords");
  static const std::vector<std::string> lines{"the cat's , é. l'été-a ‿ \u203f\u203fa"};
  static const auto words = word_vocabulary(lines, {.min_frequency = 1});
  static const auto whole =
      word_vocabulary(lines, {.min_frequency = 1, .split_punctuation = false});
  const std::string normal = normalise(bytes);
  law(valid_utf8(normal) && normalise(normal) == normal, "normalised twice, it is another text");
  law(valid_utf8(bytes) || normal.find("\uFFFD") != normal.npos, "bad bytes leave no trace");
  law(valid_utf8(lower_case(normal)), "in lower case it is not UTF-8");
  check_tokens(*subwords, bytes);
  check_tokens(*words, bytes);
  check_tokens(*whole, bytes);
}

}  // namespace

extern const FuzzTarget tokenizer{.name = "tokenizer",
                                  .about = "text to tokens and back",
                                  .max_bytes = 128,
                                  .attempt = try_tokenizer,
                                  .slow = true};

}  // namespace regard::targets
