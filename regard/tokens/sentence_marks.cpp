#include "regard/tokens/sentence_marks.h"

#include <utf8proc.h>

#include <algorithm>
#include <span>

namespace regard {
namespace {

// ! ? ; (Greek) ‼ ‽ ⁇ ⁈ ⁉
constexpr std::int32_t kStrong[]{0x21, 0x3F, 0x37E, 0x203C, 0x203D, 0x2047, 0x2048, 0x2049};

// Armenian, Arabic, danda, Tibetan, Burmese, Ethiopic, Khmer, Chinese and Japanese, full width.
constexpr std::int32_t kSpaceless[]{0x589,  0x61F,  0x6D4,  0x964,  0x965,  0xF0D,  0xF0E,
                                    0x104B, 0x1362, 0x1367, 0x1368, 0x17D4, 0x17D5, 0x3002,
                                    0xFE52, 0xFE56, 0xFE57, 0xFF01, 0xFF0E, 0xFF1F, 0xFF61};

struct Block {
  std::int32_t first, last;
};

// Thai, Lao; Burmese; Khmer; Chinese, Japanese and their signs; full width.
constexpr Block kUnspaced[]{{0xE00, 0xEFF},   {0x1000, 0x109F}, {0x1780, 0x17FF},
                            {0x2E80, 0x312F}, {0x31A0, 0xA4CF}, {0xF900, 0xFAFF},
                            {0xFE30, 0xFE4F}, {0xFF00, 0xFFDF}, {0x20000, 0x3FFFF}};

bool is_greek(std::int32_t c) {
  return (c >= 0x370 && c < 0x400) || (c >= 0x1F00 && c < 0x2000);
}

bool has(std::span<const std::int32_t> list, std::int32_t c) {
  return std::ranges::find(list, c) != list.end();
}

bool is_straight_quote(std::int32_t c) {
  return c == '"' || c == '\'';
}

}  // namespace

Stop stop_of(std::int32_t c, std::int32_t previous) {
  constexpr std::int32_t kEllipsis = 0x2026;
  if (c == '.') return Stop::full_stop;
  if (c == kEllipsis) return Stop::ellipsis;
  if (c == ';') return is_greek(previous) ? Stop::strong : Stop::none;
  if (has(kStrong, c)) return Stop::strong;
  return c > 0x7F && has(kSpaceless, c) ? Stop::spaceless : Stop::none;
}

bool is_line_break(std::int32_t c) {
  return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
}

bool is_upper(std::int32_t c) {
  const auto category = utf8proc_category(c);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

bool is_lower(std::int32_t c) {
  return utf8proc_category(c) == UTF8PROC_CATEGORY_LL;
}

bool is_digit(std::int32_t c) {
  return utf8proc_category(c) == UTF8PROC_CATEGORY_ND;
}

bool is_letter(std::int32_t c) {
  const auto category = utf8proc_category(c);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_mark(std::int32_t c) {
  const auto category = utf8proc_category(c);
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

bool is_opener(std::int32_t c) {
  const auto category = utf8proc_category(c);
  return category == UTF8PROC_CATEGORY_PS || category == UTF8PROC_CATEGORY_PI;
}

bool is_closer(std::int32_t c) {
  const auto category = utf8proc_category(c);
  return category == UTF8PROC_CATEGORY_PE || category == UTF8PROC_CATEGORY_PF;
}

bool is_quote_or_bracket(std::int32_t c) {
  return is_opener(c) || is_closer(c) || is_straight_quote(c);
}

bool is_punctuation(std::int32_t c) {
  const auto category = utf8proc_category(c);
  return category == UTF8PROC_CATEGORY_PC || category == UTF8PROC_CATEGORY_PD ||
         category == UTF8PROC_CATEGORY_PO || is_closer(c);
}

bool closes(std::int32_t c, bool spaceless) {
  return is_closer(c) || is_straight_quote(c) ||
         (!spaceless && utf8proc_category(c) == UTF8PROC_CATEGORY_PI);
}

bool may_lead(std::int32_t c) {
  constexpr std::int32_t kInvertedQuestion = 0xBF, kInvertedExclamation = 0xA1, kBullet = 0x2022;
  return is_quote_or_bracket(c) || utf8proc_category(c) == UTF8PROC_CATEGORY_PD ||
         c == kInvertedQuestion || c == kInvertedExclamation || c == kBullet || c == '*';
}

bool is_unspaced(std::int32_t c) {
  return std::ranges::any_of(
      kUnspaced, [c](const Block& block) { return c >= block.first && c <= block.last; });
}

}  // namespace regard
