#include "regard/serve/text/document.h"

#include <utf8proc.h>

#include "regard/base/check.h"
#include "regard/serve/text/html.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/sentences.h"

namespace regard {
namespace {

bool is_letter_or_digit(std::int32_t character) {
  switch (utf8proc_category(character)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
      return true;
    default:
      return false;
  }
}

/// The text without space at its ends.
SentenceRange core(std::string_view text) {
  SentenceRange range{text.size(), text.size()};
  for (std::size_t i = 0; i < text.size();) {
    const Character c = first_character(text.substr(i));
    if (!is_space(c.code)) range = {std::min(range.start, i), i + c.size};
    i += c.size;
  }
  return range;
}

std::vector<SentenceRange> ranges_of(std::string_view text, Splitting splitting) {
  if (splitting == Splitting::none) return {core(text)};
  return split_sentences(
      text, splitting == Splitting::sentences ? Newlines::are_spaces : Newlines::end_sentences);
}

}  // namespace

bool has_word(std::string_view text) {
  while (!text.empty()) {
    const Character c = first_character(text);
    if (is_letter_or_digit(c.code)) return true;
    text.remove_prefix(c.size);
  }
  return false;
}

Document plain_document(std::string_view text, Splitting splitting) {
  Document document;
  std::size_t at = 0;
  for (const SentenceRange& range : ranges_of(text, splitting)) {
    if (!has_word(range.of(text))) continue;
    document.passages.push_back({.before = std::string(text.substr(at, range.start - at)),
                                 .text = std::string(range.of(text)),
                                 .start = range.start});
    at = range.end;
  }
  document.rest = text.substr(at);
  return document;
}

std::string rendered(const Document& document, const std::vector<const LineTranslation*>& by) {
  check(by.size() == document.passages.size(), "expected ", document.passages.size(),
        " translations, got ", by.size());
  std::string text;
  for (std::size_t i = 0; i < by.size(); ++i) {
    const Passage& passage = document.passages[i];
    text += passage.before;
    if (i > 0 && passage.before.empty() && by[i]->text != passage.text &&
        needs_space(text, by[i]->text))
      text += ' ';
    if (!document.html) {
      text += by[i]->text;
    } else if (by[i]->text == passage.text) {
      text += passage.source;
    } else {
      // Or the translation's first letters would join a reference, or make a tag of a '<'.
      if (passage.cut_reference) text += ';';
      if (text.ends_with('<')) text.replace(text.size() - 1, 1, "&lt;");
      text += with_tags(passage, *by[i]);
    }
  }
  return text + document.rest;
}

}  // namespace regard
