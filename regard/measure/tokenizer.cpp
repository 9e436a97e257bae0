#include "regard/measure/tokenizer.h"

#include <array>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/measure/unicode.h"

namespace regard::measure {
namespace {

// The NIST scripts are a few substitutions one after the other. Each rule here is one of them, with
// the way such patterns match kept: from the left, without overlap.

void replace_all(std::u32string& text, std::u32string_view from, std::u32string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Spaces around every character that is `alone`.
template <class Alone>
std::u32string set_apart(std::u32string_view text, Alone alone) {
  std::u32string result;
  result.reserve(2 * text.size());
  for (const char32_t c : text) {
    if (alone(c))
      result.append({U' ', c, U' '});
    else
      result += c;
  }
  return result;
}

/// Where the first of two neighbours is `left` and the second `right`: the three parts of `put`
/// with the two between them.
template <class Left, class Right>
std::u32string part_pairs(std::u32string_view text, Left left, Right right,
                          const std::array<std::u32string_view, 3>& put) {
  std::u32string result;
  result.reserve(2 * text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && left(text[i]) && right(text[i + 1])) {
      result.append(put[0]).append(1, text[i]).append(put[1]).append(1, text[i + 1]).append(put[2]);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

constexpr std::array<std::u32string_view, 3> kSecondApart{U"", U" ", U" "};
constexpr std::array<std::u32string_view, 3> kFirstApart{U" ", U" ", U""};

bool is_digit(char32_t c) {
  return c >= U'0' && c <= U'9';
}
bool is_no_digit(char32_t c) {
  return !is_digit(c);
}
bool is_stop(char32_t c) {
  return c == U'.' || c == U',';
}
bool is_dash(char32_t c) {
  return c == U'-';
}
bool is_no_number(char32_t c) {
  return !is_number(c);
}

/// ASCII punctuation but ' , - and . , which only some neighbours part from a word.
bool stands_alone(char32_t c) {
  return (c >= U'{' && c <= U'~') || (c >= U'[' && c <= U'`') || (c >= U' ' && c <= U'&') ||
         (c >= U'(' && c <= U'+') || (c >= U':' && c <= U'@') || c == U'/';
}

std::u32string tokenize_13a(std::u32string_view line) {
  std::u32string text(line);
  replace_all(text, U"<skipped>", U"");
  replace_all(text, U"-\n", U"");
  replace_all(text, U"\n", U" ");
  replace_all(text, U"&quot;", U"\"");
  replace_all(text, U"&amp;", U"&");
  replace_all(text, U"&lt;", U"<");
  replace_all(text, U"&gt;", U">");
  text = set_apart(U" " + text + U" ", stands_alone);
  text = part_pairs(text, is_no_digit, is_stop, kSecondApart);
  text = part_pairs(text, is_stop, is_no_digit, kFirstApart);
  return part_pairs(text, is_digit, is_dash, kSecondApart);
}

std::u32string tokenize_international(std::u32string_view line) {
  std::u32string text = part_pairs(line, is_no_number, is_punctuation, kSecondApart);
  text = part_pairs(text, is_punctuation, is_no_number, kFirstApart);
  return set_apart(text, is_symbol);
}

}  // namespace

Tokenizer tokenizer_named(std::string_view name) {
  constexpr std::string_view kNames[]{"13a", "none", "char", "intl"};
  if (name == "13a") return Tokenizer::mteval_13a;
  if (name == "none") return Tokenizer::none;
  if (name == "char") return Tokenizer::characters;
  if (name == "intl") return Tokenizer::international;
  fail(Fault::usage, "no tokenizer is called '", name, "'", known_values(name, kNames));
}

std::u32string tokenize(std::u32string_view line, Tokenizer tokenizer) {
  switch (tokenizer) {
    case Tokenizer::mteval_13a:
      return tokenize_13a(line);
    case Tokenizer::none:
      return std::u32string(line);
    case Tokenizer::characters:
      return set_apart(line, [](char32_t) { return true; });
    case Tokenizer::international:
      return tokenize_international(line);
  }
  fail(Fault::bug, "a tokenizer without a rule");
}

}  // namespace regard::measure
