#include "regard/cli/generate/continued.h"

#include "regard/tokens/normalise.h"

namespace regard {
namespace {

bool ends_in_space(std::string_view text) {
  bool space = false;
  for (Character character{}; !text.empty(); text.remove_prefix(character.size)) {
    character = first_character(text);
    space = is_space(character.code);
  }
  return space;
}

}  // namespace

Continued continued(std::string_view prompt, std::size_t given, std::span<const std::int32_t> ids,
                    const Tokenizer& tokenizer) {
  const std::string begin = tokenizer.decode(ids.first(given)), whole = tokenizer.decode(ids);
  std::string added =
      whole.starts_with(begin) ? whole.substr(begin.size()) : tokenizer.decode(ids.subspan(given));
  if (added.starts_with(' ') && ends_in_space(prompt)) added.erase(0, 1);
  return {std::string(prompt) + added, added};
}

std::string on_a_line(std::string_view text) {
  std::string line;
  for (Character character{}; !text.empty(); text.remove_prefix(character.size)) {
    character = first_character(text);
    if (is_space(character.code))
      line += ' ';
    else if (character.code == 0xFFFD)  // a broken byte too
      line += "\uFFFD";
    else
      line += text.substr(0, character.size);
  }
  return line;
}

}  // namespace regard
