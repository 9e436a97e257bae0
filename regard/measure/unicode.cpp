#include "regard/measure/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <span>

namespace regard::measure {
namespace {

struct Range {
  char32_t first, last;
};

bool within(std::span<const Range> ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](Range r) { return r.first <= c && c <= r.last; });
}

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

// Two derived properties that utf8proc lacks: what the general category does not give is listed
// (Unicode's PropList.txt, Other_Lowercase and Other_Uppercase; WordBreakProperty.txt).

constexpr Range kOtherCased[]{{0xaa, 0xaa},      {0xba, 0xba},       {0x2160, 0x217f},
                              {0x24b6, 0x24e9},  {0x1f130, 0x1f149}, {0x1f150, 0x1f169},
                              {0x1f170, 0x1f189}};

bool is_cased(char32_t c) {
  const auto kind = category(c);
  return kind == UTF8PROC_CATEGORY_LU || kind == UTF8PROC_CATEGORY_LL ||
         kind == UTF8PROC_CATEGORY_LT || within(kOtherCased, c);
}

constexpr Range kWithinWords[]{
    {0x27, 0x27},     {0x2e, 0x2e},     {0x3a, 0x3a},     {0xb7, 0xb7},
    {0x387, 0x387},   {0x55f, 0x55f},   {0x5f4, 0x5f4},   {0x2018, 0x2019},
    {0x2024, 0x2024}, {0x2027, 0x2027}, {0xfe13, 0xfe13}, {0xfe52, 0xfe52},
    {0xfe55, 0xfe55}, {0xff07, 0xff07}, {0xff0e, 0xff0e}, {0xff1a, 0xff1a}};

bool is_case_ignorable(char32_t c) {
  const auto kind = category(c);
  return kind == UTF8PROC_CATEGORY_MN || kind == UTF8PROC_CATEGORY_ME ||
         kind == UTF8PROC_CATEGORY_CF || kind == UTF8PROC_CATEGORY_LM ||
         kind == UTF8PROC_CATEGORY_SK || within(kWithinWords, c);
}

/// The condition Final_Sigma of the Unicode standard, table 3-17: a cased letter before, none
/// after.
bool ends_word(std::u32string_view text, std::size_t sigma) {
  std::size_t before = sigma, after = sigma + 1;
  while (before > 0 && is_case_ignorable(text[before - 1])) --before;
  while (after < text.size() && is_case_ignorable(text[after])) ++after;
  return before > 0 && is_cased(text[before - 1]) &&
         (after == text.size() || !is_cased(text[after]));
}

}  // namespace

std::u32string code_points(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = static_cast<utf8proc_ssize_t>(text.size());
  for (utf8proc_ssize_t at = 0; at < size;) {
    utf8proc_int32_t point = 0;
    const auto length = utf8proc_iterate(bytes + at, size - at, &point);
    points.push_back(length > 0 ? static_cast<char32_t>(point) : U'\xfffd');
    at += std::max<utf8proc_ssize_t>(length, 1);
  }
  return points;
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == 0x20 || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
  const auto kind = category(c);
  return c == 0x85 || kind == UTF8PROC_CATEGORY_ZS || kind == UTF8PROC_CATEGORY_ZL ||
         kind == UTF8PROC_CATEGORY_ZP;
}

bool is_punctuation(char32_t c) {
  const auto kind = category(c);
  return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

bool is_symbol(char32_t c) {
  const auto kind = category(c);
  return kind >= UTF8PROC_CATEGORY_SM && kind <= UTF8PROC_CATEGORY_SO;
}

bool is_number(char32_t c) {
  const auto kind = category(c);
  return kind >= UTF8PROC_CATEGORY_ND && kind <= UTF8PROC_CATEGORY_NO;
}

std::u32string lower_case(std::u32string_view text) {
  constexpr char32_t kDottedCapitalI = 0x130, kCapitalSigma = 0x3a3, kFinalSigma = 0x3c2;
  std::u32string lower;
  lower.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kDottedCapitalI)
      lower += U"i\u0307";
    else if (text[i] == kCapitalSigma && ends_word(text, i))
      lower += kFinalSigma;
    else
      lower += static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(text[i])));
  }
  return lower;
}

std::vector<std::u32string_view> split_at_space(std::u32string_view text) {
  std::vector<std::u32string_view> runs;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_space(text[end])) ++end;
    runs.push_back(text.substr(at, end - at));
    at = end;
  }
  return runs;
}

}  // namespace regard::measure
