#include "regard/serve/text/html.h"

#include <algorithm>

#include "fuzz/target.h"
#include "regard/serve/text/html_scan.h"

namespace regard::targets {
namespace {

std::vector<HtmlPart> parts_of(std::string_view html) {
  std::vector<HtmlPart> parts;
  while (!html.empty()) {
    parts.push_back(first_part(html));
    html.remove_prefix(parts.back().bytes.size());
  }
  return parts;
}

/// Everything in a text that is no text: tags, comments, elements that are kept.
std::vector<std::string> tags_of(std::string_view html) {
  std::vector<std::string> tags;
  std::string joined;
  for (const HtmlPart& part : parts_of(html)) {
    law(!part.bytes.empty(), "a part is empty");
    joined += part.bytes;
    if (part.kind != HtmlPart::Kind::text) tags.emplace_back(part.bytes);
  }
  law(joined == html, "the parts joined are not the text");
  return tags;
}

/// A translation that is the text itself, its words in their order or backwards.
LineTranslation moved(const std::string& text, bool backwards) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  LineTranslation translation;
  const auto count = static_cast<Index>(words.size());
  for (Index i = 0; i < count; ++i)
    translation.links.emplace_back(i, backwards ? count - 1 - i : i);
  if (backwards) std::ranges::reverse(words);
  for (const std::string& word : words)
    translation.text += (translation.text.empty() ? "" : " ") + word;
  return translation;
}

/// Tags out = tags in: in their order where words keep theirs, and none added or lost where words
/// change places.
void try_html(std::string_view bytes) {
  const std::vector<std::string> tags = tags_of(bytes);
  const Document document = html_document(bytes);
  for (const bool backwards : {false, true}) {
    std::vector<LineTranslation> translations;
    for (const Passage& passage : document.passages) {
      law(has_word(passage.text), "a passage has nothing to translate");
      translations.push_back(moved(passage.text, backwards));
    }
    std::vector<const LineTranslation*> by;
    for (const LineTranslation& translation : translations) by.push_back(&translation);
    std::vector<std::string> found = tags_of(rendered(document, by)), expected = tags;
    if (backwards) {
      std::ranges::sort(found);
      std::ranges::sort(expected);
    }
    law(found == expected, backwards ? "words moved, the tags are others" : "the tags are others");
  }
}

}  // namespace

extern const FuzzTarget html{
    .name = "html", .about = "HTML to passages and back", .most_bytes = 192, .attempt = try_html};

}  // namespace regard::targets
