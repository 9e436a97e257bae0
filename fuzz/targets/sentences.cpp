#include "regard/tokens/sentences.h"

#include "fuzz/target.h"
#include "regard/tokens/normalise.h"

namespace regard::targets {
namespace {

void check_space(std::string_view text) {
  while (!text.empty()) {
    const Character c = first_character(text);
    law(is_space(c.code), "between sentences stands more than white space");
    text.remove_prefix(c.size);
  }
}

void check_sentences(std::string_view text, Newlines newlines) {
  const bool valid = valid_utf8(text);
  std::size_t at = 0;
  for (const SentenceRange& range : split_sentences(text, newlines)) {
    law(at <= range.start && range.start < range.end && range.end <= text.size(),
        "sentences are out of order");
    check_space(text.substr(at, range.start - at));
    const std::string_view own = range.of(text);
    law(!is_space(first_character(own).code), "a sentence begins with white space");
    law(!valid || valid_utf8(own), "a character is cut");
    law(split_sentences(own, newlines).size() == 1, "a sentence is split again");
    at = range.end;
  }
  check_space(text.substr(at));
}

/// The promises of sentences.h for any text.
void try_sentences(std::string_view bytes) {
  check_sentences(bytes, Newlines::end_sentences);
  check_sentences(bytes, Newlines::are_spaces);
}

}  // namespace

extern const FuzzTarget sentences{
    .name = "sentences", .about = "text to sentences", .max_bytes = 256, .attempt = try_sentences};

}  // namespace regard::targets
