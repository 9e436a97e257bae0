#include "regard/tokens/unknown.h"

#include <utf8proc.h>

#include <algorithm>

#include "regard/tokens/normalise.h"
#include "regard/tokens/sentence_marks.h"
#include "regard/tokens/subword_file.h"

namespace regard {
namespace {

/// Bytes of normalise(text) and the bytes of the text that they come from.
struct Origin {
  std::size_t normal, normal_end;
  std::size_t start, end;
  bool same;  ///< byte by byte
};

/// A word cut into characters as readers see them: nothing composes across two of them.
std::vector<std::string_view> clusters(std::string_view word) {
  std::vector<std::string_view> result;
  std::int32_t state = 0, previous = -1;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < word.size();) {
    const Character c = first_character(word.substr(at));
    if (previous >= 0 && utf8proc_grapheme_break_stateful(previous, c.code, &state)) {
      result.push_back(word.substr(begin, at - begin));
      begin = at;
    }
    previous = c.code;
    at += c.size;
  }
  result.push_back(word.substr(begin));
  return result;
}

/// Which part of a text each part of its normal form comes from. Words stay words; one that
/// normalising changed is looked at more closely.
class Origins {
 public:
  explicit Origins(std::string_view text) {
    std::size_t begin = 0;
    bool inside = false;
    for (std::size_t at = 0; at <= text.size();) {
      const Character c = at < text.size() ? first_character(text.substr(at)) : Character{' ', 1};
      const bool space = is_space(c.code);
      if (inside && space) add_word(text.substr(begin, at - begin), begin);
      if (!inside && !space) begin = at;
      inside = !space;
      at += c.size;
    }
  }

  UnknownText original(std::string_view text, std::size_t start, std::size_t end) const {
    auto first = std::ranges::upper_bound(all_, start, {}, &Origin::normal_end);
    auto last = std::ranges::lower_bound(all_, end, {}, &Origin::normal);
    if (first == all_.end() || last == all_.begin() || first >= last) return {{}, 0, 0};
    --last;
    const std::size_t from = first->same ? first->start + (start - first->normal) : first->start;
    const std::size_t to = last->same ? last->start + (end - last->normal) : last->end;
    return {std::string(text.substr(from, to - from)), static_cast<Index>(from),
            static_cast<Index>(to)};
  }

 private:
  void add(std::string_view part, const std::string& normal, std::size_t start) {
    all_.push_back({at_, at_ + normal.size(), start, start + part.size(), normal == part});
    at_ += normal.size();
  }

  void add_word(std::string_view word, std::size_t start) {
    if (!all_.empty()) ++at_;  // the space between words
    const std::string normal = normalise(word);
    if (normal == word) return add(word, normal, start);
    const std::vector<std::string_view> parts = clusters(word);
    std::vector<std::string> forms;
    std::string together;
    for (const std::string_view part : parts) together += forms.emplace_back(normalise(part));
    if (together != normal) return add(word, normal, start);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      add(parts[i], forms[i], start);
      start += parts[i].size();
    }
  }

  std::vector<Origin> all_;
  std::size_t at_ = 0;  // of the normal form
};

bool is_of_word(std::int32_t character) {
  return is_letter(character) || is_mark(character) || is_digit(character);
}

bool has_letter(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character next = first_character(text.substr(at));
    if (is_of_word(next.code)) return true;
    at += next.size;
  }
  return false;
}

/// [start, end), if it has a letter widened to the outermost letters between the spaces around it,
/// at most kReach away.
std::string_view word_around(std::string_view text, std::size_t start, std::size_t end) {
  constexpr std::size_t kReach = 64;  // bytes: a text without spaces takes no time squared
  if (!has_letter(text.substr(start, end - start))) return text.substr(start, end - start);
  std::size_t first = start, last = end;
  for (std::size_t at = start; at > 0 && start - at < kReach;) {
    const std::size_t behind = at;
    do --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
    const std::int32_t code = first_character(text.substr(at, behind - at)).code;
    if (is_space(code)) break;
    if (is_of_word(code)) first = at;
  }
  for (std::size_t at = end; at < text.size() && at - end < kReach;) {
    const Character next = first_character(text.substr(at));
    if (is_space(next.code)) break;
    at += next.size;
    if (is_of_word(next.code)) last = at;
  }
  return text.substr(first, last - first);
}

}  // namespace

std::vector<UnknownText> unknown_text(const Tokenizer& tokenizer, std::string_view text,
                                      std::span<const Token> tokens) {
  const bool bytes = tokenizer.kind() == "subwords";
  std::vector<std::pair<Index, Index>> ranges;
  bool joins = false;
  for (const Token& token : tokens) {
    const bool byte = bytes && byte_of_piece(token.text) >= 0;
    if (byte && joins)
      ranges.back().second = token.end;
    else if (byte || token.id == kUnk)
      ranges.emplace_back(token.start, token.end);
    joins = byte;
  }
  std::vector<UnknownText> result;
  if (ranges.empty()) return result;
  const Origins origins(text);
  for (const auto& [start, end] : ranges) {
    UnknownText one =
        origins.original(text, static_cast<std::size_t>(start), static_cast<std::size_t>(end));
    const bool again = !result.empty() && one.start < result.back().end;  // of one word, widened
    if (one.start >= one.end || again) continue;
    one.word = bytes ? word_around(text, static_cast<std::size_t>(one.start),
                                   static_cast<std::size_t>(one.end))
                     : one.text;
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace regard
