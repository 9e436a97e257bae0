#include "fuzz/target.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/subword_tokenizer.h"

namespace regard::targets {
namespace {

/// SentencePiece takes every model that our reader takes, and any text comes back from its tokens.
void try_subwords(std::string_view bytes) {
  const auto tokenizer = subword_tokenizer(bytes, "x.tokens");
  law(tokenizer->bytes() == bytes, "written again, the bytes differ");
  constexpr std::string_view kText = "The cat, à côté. <0x41> </s> \xff 日本";
  const std::vector<std::int32_t> ids = tokenizer->encode(kText);
  for (const std::int32_t id : ids) law(id >= kUnk && id < tokenizer->size(), "text gives id ", id);
  law(tokenizer->decode(ids) == normalise(kText), "another text comes back");
}

}  // namespace

extern const FuzzTarget subwords{.name = "subwords",
                                 .about = "vocabularies of SentencePiece, in use",
                                 .max_bytes = 6144,
                                 .attempt = try_subwords,
                                 .slow = true};

}  // namespace regard::targets
