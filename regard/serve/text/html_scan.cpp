#include "regard/serve/text/html_scan.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "regard/serve/http/message.h"

namespace regard {
namespace {

using PartKind = HtmlPart::Kind;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

constexpr auto kInline = std::to_array<std::string_view>(
    {"a",  "abbr",  "acronym", "b",      "bdi",    "bdo",  "big", "cite", "data", "del", "dfn",
     "em", "font",  "i",       "ins",    "label",  "mark", "q",   "rb",   "rp",   "rt",  "ruby",
     "s",  "small", "span",    "strike", "strong", "sub",  "sup", "time", "tt",   "u"});
constexpr auto kAlone = std::to_array<std::string_view>({"img", "wbr", "input"});
constexpr auto kKept = std::to_array<std::string_view>(
    {"code", "kbd", "samp", "var", "svg", "math", "object", "canvas", "audio", "video", "iframe"});
constexpr auto kRaw =
    std::to_array<std::string_view>({"script", "style", "textarea", "xmp", "noembed"});

struct Tag {
  std::string name;
  std::size_t size = 0;  ///< in bytes; 0: has no end
  bool closes = false, kept = false, empty = false;
};

/// Reads "<name attributes>"; quotes may hold a '>'.
Tag read_tag(std::string_view html) {
  Tag tag;
  std::size_t i = 1;
  if (i < html.size() && html[i] == '/') {
    tag.closes = true;
    ++i;
  }
  const std::size_t begin = i;
  while (i < html.size() && (is_letter(html[i]) || is_digit(html[i]) || html[i] == '-')) ++i;
  for (const char c : html.substr(begin, i - begin))
    tag.name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::size_t attributes = i;
  char quote = 0;
  for (; i < html.size(); ++i) {
    const char c = html[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      if (html[i - 1] == '=' || html[i - 1] == ' ') quote = c;
    } else if (c == '>') {
      tag.size = i + 1;
      break;
    }
  }
  std::string inside;
  for (const char c : html.substr(attributes, i - attributes))
    if (c != '"' && c != '\'') inside += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  tag.kept =
      inside.find("translate=no") != inside.npos || inside.find("notranslate") != inside.npos;
  tag.empty = inside.ends_with('/');
  return tag;
}

/// What begins at the front of a text, and whether it ends; where not, it is all the rest.
struct Extent {
  std::string_view bytes;
  bool ends = true;
};

Extent up_to(std::string_view html, std::size_t from, std::string_view end) {
  const std::size_t found = html.find(end, from);
  if (found == html.npos) return {html, false};
  return {html.substr(0, found + end.size())};
}

/// The whole element that begins at the front, found by counting tags of its name.
Extent whole_element(std::string_view html, const Tag& open) {
  const bool raw = is_one_of(kRaw, open.name);
  std::size_t depth = 1;
  for (std::size_t i = open.size; (i = html.find('<', i)) != html.npos;) {
    const std::string_view rest = html.substr(i);
    if (!raw && rest.starts_with("<!--")) {
      i += up_to(rest, 4, "-->").bytes.size();
      continue;
    }
    const std::string_view after =
        rest.substr(std::min<std::size_t>(rest.starts_with("</") ? 2 : 1, rest.size()));
    if (!same_word(after.substr(0, open.name.size()), open.name) ||
        (after.size() > open.name.size() && is_letter(after[open.name.size()]))) {
      ++i;
      continue;
    }
    const Tag tag = read_tag(rest);
    if (tag.size == 0) return {html, false};
    if (tag.closes && --depth == 0) return {html.substr(0, i + tag.size)};
    if (!tag.closes && !raw && !tag.empty) ++depth;
    i += tag.size;
  }
  return {html, false};
}

HtmlPart tag_part(std::string_view html) {
  Tag tag = read_tag(html);
  if (tag.size == 0) return {PartKind::breaks, html, std::move(tag.name)};
  const std::string_view bytes = html.substr(0, tag.size);
  const bool is_inline = is_one_of(kInline, tag.name), is_kept = is_one_of(kKept, tag.name);
  const bool is_raw = is_one_of(kRaw, tag.name), alone = is_one_of(kAlone, tag.name);
  if (!tag.closes && (tag.kept || is_kept || is_raw) && !alone && !tag.empty) {
    const Extent whole = whole_element(html, tag);
    const bool stands = whole.ends && (is_inline || is_kept);
    return {stands ? PartKind::stands : PartKind::breaks, whole.bytes, std::move(tag.name)};
  }
  if (alone || (is_inline && tag.empty && !tag.closes) || is_kept)
    return {PartKind::stands, bytes, std::move(tag.name)};
  if (!is_inline) return {PartKind::breaks, bytes, std::move(tag.name)};
  return {tag.closes ? PartKind::closes : PartKind::opens, bytes, std::move(tag.name)};
}

struct NamedEntity {
  std::string_view name, characters;
};
constexpr NamedEntity kEntities[]{
    {"amp", "&"},       {"lt", "<"},     {"gt", ">"},     {"quot", "\""},  {"apos", "'"},
    {"nbsp", "\u00A0"}, {"eacute", "é"}, {"egrave", "è"}, {"ecirc", "ê"},  {"euml", "ë"},
    {"agrave", "à"},    {"aacute", "á"}, {"acirc", "â"},  {"auml", "ä"},   {"ouml", "ö"},
    {"uuml", "ü"},      {"Auml", "Ä"},   {"Ouml", "Ö"},   {"Uuml", "Ü"},   {"szlig", "ß"},
    {"ccedil", "ç"},    {"ocirc", "ô"},  {"ugrave", "ù"}, {"ucirc", "û"},  {"icirc", "î"},
    {"iuml", "ï"},      {"ntilde", "ñ"}, {"oacute", "ó"}, {"uacute", "ú"}, {"iacute", "í"},
    {"aring", "å"},     {"oslash", "ø"}, {"aelig", "æ"},  {"oelig", "œ"},  {"laquo", "«"},
    {"raquo", "»"},     {"ldquo", "“"},  {"rdquo", "”"},  {"lsquo", "‘"},  {"rsquo", "’"},
    {"ndash", "–"},     {"mdash", "—"},  {"hellip", "…"}, {"euro", "€"},   {"deg", "°"}};

/// The character of "&#65;" or "&#x41;"; nothing where there is no such character.
std::string numbered(std::string_view digits) {
  const bool hexadecimal = digits.starts_with('x') || digits.starts_with('X');
  if (hexadecimal) digits.remove_prefix(1);
  std::int32_t code = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, code, hexadecimal ? 16 : 10);
  if (error != std::errc() || stop != end || code < 32 || !utf8proc_codepoint_valid(code))
    return {};
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t size = utf8proc_encode_char(code, bytes);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

}  // namespace

HtmlPart first_part(std::string_view html) {
  if (html.starts_with("<!--")) {
    const Extent comment = up_to(html, 4, "-->");
    return {comment.ends ? PartKind::stands : PartKind::breaks, comment.bytes};
  }
  if (html.starts_with("<!") || html.starts_with("<?"))
    return {PartKind::breaks, up_to(html, 2, ">").bytes};
  const auto begins_tag = [&](std::size_t i) {
    const std::string_view rest = html.substr(i + 1);
    return !rest.empty() && (is_letter(rest[0]) || rest[0] == '!' || rest[0] == '?' ||
                             (rest[0] == '/' && rest.size() > 1 && is_letter(rest[1])));
  };
  if (html[0] == '<' && begins_tag(0)) return tag_part(html);
  std::size_t end = html.find('<', 1);
  while (end != html.npos && !begins_tag(end)) end = html.find('<', end + 1);
  return {PartKind::text, html.substr(0, end)};
}

std::size_t entity_length(std::string_view text) {
  constexpr std::size_t kLongest = 33;
  if (!text.starts_with('&')) return 0;
  const std::size_t end = text.substr(0, kLongest).find(';');
  if (end == text.npos || end < 2) return 0;
  for (const char c : text.substr(1, end - 1))
    if (!is_letter(c) && !is_digit(c) && c != '#') return 0;
  return end + 1;
}

Entity first_entity(std::string_view text) {
  const std::size_t size = entity_length(text);
  if (size == 0) return {};
  const std::string_view name = text.substr(1, size - 2);
  if (name.starts_with('#')) {
    std::string characters = numbered(name.substr(1));
    return characters.empty() ? Entity{} : Entity{std::move(characters), size};
  }
  for (const NamedEntity& entity : kEntities)
    if (entity.name == name) return {std::string(entity.characters), size};
  return {};
}

std::string escaped_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

}  // namespace regard
