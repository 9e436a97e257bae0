#include "regard/serve/text/html.h"

#include <algorithm>

#include "fuzz/target.h"
#include "tests/serve/html_testing.h"

namespace regard::targets {
namespace {

/// A translation that has the words of the text, the last first.
LineTranslation backwards(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  LineTranslation translation;
  const auto count = static_cast<Index>(words.size());
  for (Index i = 0; i < count; ++i) {
    translation.links.emplace_back(i, count - 1 - i);
    translation.text += (i == 0 ? "" : " ") + words[static_cast<std::size_t>(count - 1 - i)];
  }
  return translation;
}

/// Tokens, or parts: joined they are the text.
template <class Pieces>
void check_pieces(const Pieces& pieces, std::string_view html) {
  std::string joined;
  for (const auto& piece : pieces) {
    law(!piece.bytes.empty(), "a piece is empty");
    joined += piece.bytes;
  }
  law(joined == html, "the pieces joined are not the text");
}

/// Tags out = tags in: in their order where words keep theirs, and none added or lost where words
/// change places. What is its own translation is the same bytes.
void try_html(std::string_view bytes) {
  check_pieces(html_tokens(bytes), bytes);
  check_pieces(html_parts(bytes), bytes);
  const auto same = [](const Passage& passage) {
    law(has_word(passage.text), "a passage has nothing to translate");
    return LineTranslation{passage.text};
  };
  law(testing::rewritten(bytes, same) == bytes, "what is not translated has changed");
  const std::vector<std::string> tags = testing::tags_of(bytes);
  law(testing::tags_of(testing::in_capitals(bytes)) == tags, "the tags are others");
  const auto turned = [](const Passage& passage) { return backwards(passage.text); };
  std::vector<std::string> found = testing::tags_of(testing::rewritten(bytes, turned)),
                           expected = tags;
  std::ranges::sort(found);
  std::ranges::sort(expected);
  law(found == expected, "words changed places, and the tags are others");
}

}  // namespace

extern const FuzzTarget html{.name = "html",
                             .about = "HTML to passages and back",
                             .max_bytes = 192,
                             .attempt = try_html,
                             .slow = true};

}  // namespace regard::targets
