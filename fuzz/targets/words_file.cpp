#include "fuzz/target.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/words.h"

namespace regard::targets {
namespace {

/// What is accepted is written as it was, and its tokens keep the promises of all tokenizers.
void try_words_file(std::string_view bytes) {
  const auto tokenizer = word_tokenizer(bytes, "x.tokens");
  law(tokenizer->bytes() == bytes, "written again, the bytes differ");
  std::string text;
  std::vector<std::int32_t> all;
  for (std::int32_t id = 0; id < tokenizer->size(); ++id) {
    all.push_back(id);
    text += tokenizer->piece(id) + " ";
  }
  const std::string said = tokenizer->decode(all);
  law(normalise(said) == said, "what is said is not normalised");
  law(tokenizer->words(all).size() == all.size(), "a token belongs to no word");
  const std::vector<std::int32_t> ids = tokenizer->encode(text);
  for (const std::int32_t id : ids) law(id >= kUnk && id < tokenizer->size(), "text gives id ", id);
  law(tokenizer->tokens(text).size() == ids.size(), "tokens are not the ids");
}

}  // namespace

extern const FuzzTarget words_file{.name = "words_file",
                                   .about = "vocabularies of whole words",
                                   .max_bytes = 512,
                                   .attempt = try_words_file};

}  // namespace regard::targets
