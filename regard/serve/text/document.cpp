#include "regard/serve/text/document.h"

#include <utf8proc.h>

#include "regard/base/check.h"
#include "regard/serve/text/html.h"
#include "regard/tokens/normalise.h"

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

/// Where the text without space at its ends begins and ends.
std::pair<std::size_t, std::size_t> core(std::string_view text) {
  std::size_t begin = text.size(), end = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = first_character(text.substr(i));
    if (!is_space(c.code)) {
      begin = std::min(begin, i);
      end = i + c.size;
    }
    i += c.size;
  }
  return {begin, end};
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

Document plain_document(std::string_view text) {
  Document document;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    if (has_word(line)) {
      const auto [first, last] = core(line);
      document.rest += line.substr(0, first);
      document.passages.push_back(
          {std::move(document.rest), std::string(line.substr(first, last - first))});
      document.rest = line.substr(last);
    } else {
      document.rest += line;
    }
    text.remove_prefix(end);
    const std::size_t breaks = std::min(text.find_first_not_of("\r\n"), text.size());
    document.rest += text.substr(0, breaks);
    text.remove_prefix(breaks);
  }
  return document;
}

std::string rendered(const Document& document, const std::vector<const LineTranslation*>& by) {
  check(by.size() == document.passages.size(), "expected ", document.passages.size(),
        " translations, got ", by.size());
  std::string text;
  for (std::size_t i = 0; i < by.size(); ++i) {
    const Passage& passage = document.passages[i];
    text += passage.before;
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
