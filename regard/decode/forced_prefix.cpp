#include "regard/decode/forced_prefix.h"

#include "regard/base/check.h"
#include "regard/decode/line.h"

namespace regard {

std::vector<std::int32_t> forced_prefix(const ModelInfo& info, std::string_view text,
                                        std::string_view option) {
  std::vector<std::int32_t> ids;
  for (const Token& token : info.target->tokens(text)) {
    check(token.id != kUnk, option, ": the model does not know the word '", token.text, "'");
    ids.push_back(token.id);
  }
  const auto size = static_cast<Index>(ids.size());
  check(max_output_tokens(info.spec, size) == size, option, " has ", size,
        " tokens, but the model has positions for ", max_output_tokens(info.spec, size),
        " at most");
  return ids;
}

}  // namespace regard
