#include "regard/serve/html/entities.h"

#include <utf8proc.h>

#include <cstdint>

namespace regard {
namespace {

struct NamedEntity {
  std::string_view name, characters;
};

/// All that need no semicolon.
constexpr NamedEntity kShortEntities[]{
    {"AElig", "Æ"},  {"AMP", "&"},      {"Aacute", "Á"}, {"Acirc", "Â"},     {"Agrave", "À"},
    {"Aring", "Å"},  {"Atilde", "Ã"},   {"Auml", "Ä"},   {"COPY", "©"},      {"Ccedil", "Ç"},
    {"ETH", "Ð"},    {"Eacute", "É"},   {"Ecirc", "Ê"},  {"Egrave", "È"},    {"Euml", "Ë"},
    {"GT", ">"},     {"Iacute", "Í"},   {"Icirc", "Î"},  {"Igrave", "Ì"},    {"Iuml", "Ï"},
    {"LT", "<"},     {"Ntilde", "Ñ"},   {"Oacute", "Ó"}, {"Ocirc", "Ô"},     {"Ograve", "Ò"},
    {"Oslash", "Ø"}, {"Otilde", "Õ"},   {"Ouml", "Ö"},   {"QUOT", "\""},     {"REG", "®"},
    {"THORN", "Þ"},  {"Uacute", "Ú"},   {"Ucirc", "Û"},  {"Ugrave", "Ù"},    {"Uuml", "Ü"},
    {"Yacute", "Ý"}, {"aacute", "á"},   {"acirc", "â"},  {"acute", "´"},     {"aelig", "æ"},
    {"agrave", "à"}, {"amp", "&"},      {"aring", "å"},  {"atilde", "ã"},    {"auml", "ä"},
    {"brvbar", "¦"}, {"ccedil", "ç"},   {"cedil", "¸"},  {"cent", "¢"},      {"copy", "©"},
    {"curren", "¤"}, {"deg", "°"},      {"divide", "÷"}, {"eacute", "é"},    {"ecirc", "ê"},
    {"egrave", "è"}, {"eth", "ð"},      {"euml", "ë"},   {"frac12", "½"},    {"frac14", "¼"},
    {"frac34", "¾"}, {"gt", ">"},       {"iacute", "í"}, {"icirc", "î"},     {"iexcl", "¡"},
    {"igrave", "ì"}, {"iquest", "¿"},   {"iuml", "ï"},   {"laquo", "«"},     {"lt", "<"},
    {"macr", "¯"},   {"micro", "µ"},    {"middot", "·"}, {"nbsp", "\u00A0"}, {"not", "¬"},
    {"ntilde", "ñ"}, {"oacute", "ó"},   {"ocirc", "ô"},  {"ograve", "ò"},    {"ordf", "ª"},
    {"ordm", "º"},   {"oslash", "ø"},   {"otilde", "õ"}, {"ouml", "ö"},      {"para", "¶"},
    {"plusmn", "±"}, {"pound", "£"},    {"quot", "\""},  {"raquo", "»"},     {"reg", "®"},
    {"sect", "§"},   {"shy", "\u00AD"}, {"sup1", "¹"},   {"sup2", "²"},      {"sup3", "³"},
    {"szlig", "ß"},  {"thorn", "þ"},    {"times", "×"},  {"uacute", "ú"},    {"ucirc", "û"},
    {"ugrave", "ù"}, {"uml", "¨"},      {"uuml", "ü"},   {"yacute", "ý"},    {"yen", "¥"},
    {"yuml", "ÿ"}};

/// Some of the two thousand that do; the others stay as they are.
constexpr NamedEntity kLongEntities[]{
    {"apos", "'"},   {"oelig", "œ"}, {"OElig", "Œ"},  {"ldquo", "“"},  {"rdquo", "”"},
    {"lsquo", "‘"},  {"rsquo", "’"}, {"sbquo", "‚"},  {"bdquo", "„"},  {"lsaquo", "‹"},
    {"rsaquo", "›"}, {"ndash", "–"}, {"mdash", "—"},  {"hellip", "…"}, {"euro", "€"},
    {"bull", "•"},   {"trade", "™"}, {"scaron", "š"}, {"Scaron", "Š"}};

/// What &#128; to &#159; are taken for; 0: themselves.
constexpr std::int32_t kWindows1252[32]{
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// The value of a digit; 16 if it is none.
std::int32_t digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

std::string encoded(std::int32_t code) {
  constexpr std::int32_t kNoCharacter = 0xFFFD;
  if (code >= 0x80 && code < 0xA0 && kWindows1252[code - 0x80] != 0)
    code = kWindows1252[code - 0x80];
  if (code == 0 || !utf8proc_codepoint_valid(code)) code = kNoCharacter;
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t size = utf8proc_encode_char(code, bytes);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

/// "&#65;" or "&#x41;"
Entity numbered_entity(std::string_view text) {
  constexpr std::int32_t kBeyond = 0x110000;
  const bool hexadecimal = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const std::int32_t radix = hexadecimal ? 16 : 10;
  const std::size_t begin = hexadecimal ? 3 : 2;
  std::size_t at = begin;
  std::int32_t code = 0;
  for (; at < text.size() && digit_value(text[at]) < radix; ++at)
    if (code < kBeyond) code = code * radix + digit_value(text[at]);
  if (at == begin) return {};
  if (at < text.size() && text[at] == ';') ++at;
  return {encoded(code), at};
}

}  // namespace

std::size_t entity_length(std::string_view text) {
  constexpr std::size_t kLongest = 33;
  if (!text.starts_with('&')) return 0;
  std::size_t end = 1;
  while (end < text.size() && end < kLongest && is_alphanumeric(text[end])) ++end;
  return end > 1 && end < text.size() && text[end] == ';' ? end + 1 : 0;
}

Entity first_entity(std::string_view text) {
  if (text.starts_with("&#")) return numbered_entity(text);
  if (!text.starts_with('&') || text.size() < 2 || !is_alphanumeric(text[1])) return {};
  const std::size_t size = entity_length(text);
  if (size > 0) {
    const std::string_view name = text.substr(1, size - 2);
    for (const NamedEntity& entity : kShortEntities)
      if (entity.name == name) return {std::string(entity.characters), size};
    for (const NamedEntity& entity : kLongEntities)
      if (entity.name == name) return {std::string(entity.characters), size};
    return {};
  }
  const NamedEntity* longest = nullptr;
  for (const NamedEntity& entity : kShortEntities)
    if (text.substr(1).starts_with(entity.name) &&
        (!longest || entity.name.size() > longest->name.size()))
      longest = &entity;
  return longest ? Entity{std::string(longest->characters), longest->name.size() + 1} : Entity{};
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
