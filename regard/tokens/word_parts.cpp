#include "regard/tokens/word_parts.h"

#include <utf8proc.h>

#include <algorithm>

#include "regard/tokens/normalise.h"

namespace regard {
namespace {

constexpr std::string_view kOldPunctuation = ".,!?;:";
constexpr std::string_view kUnknownWord = "<unk>";  // as decoding writes it

bool is_word_character(std::int32_t c) {
  if (c < 0x80) return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  const utf8proc_category_t category = utf8proc_category(c);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}
bool is_hyphen(std::int32_t c) {
  return c == '-' || c == 0x2010 || c == 0x2011;
}
bool is_apostrophe(std::int32_t c) {
  return c == '\'' || c == 0x2019;
}

bool begins_with_word_character(std::string_view text) {
  return !text.empty() && is_word_character(first_character(text).code);
}

/// The English ending after an apostrophe, up to the end of its word; else empty.
std::string_view ending_of(std::string_view text) {
  static constexpr std::string_view kEndings[] = {"t", "s", "m", "d", "re", "ve", "ll"};
  for (const std::string_view ending : kEndings) {
    const bool same = std::ranges::equal(text.substr(0, ending.size()), ending, [](char a, char b) {
      return static_cast<char>(static_cast<unsigned char>(a) | 0x20) == b;
    });
    if (same && !begins_with_word_character(text.substr(ending.size())))
      return text.substr(0, ending.size());
  }
  return {};
}

class Cutter {
 public:
  Cutter(std::string_view word, WordPart at, std::vector<WordPart>& parts)
      : word_(word), at_(at), parts_(parts) {}

  /// The rest in one part.
  void keep() { add(word_.size()); }

  /// The mark in the text itself, or what follows it would look joined.
  void split_marks() {
    while (word_.substr(done_).starts_with(kJoinedMark)) add(done_ + kJoinedMark.size());
  }

  void split_ends() {
    const auto is_mark = [](char c) { return kOldPunctuation.find(c) != std::string_view::npos; };
    while (done_ < word_.size() && is_mark(word_[done_])) add(done_ + 1);
    std::size_t back = word_.size();
    while (back > done_ && is_mark(word_[back - 1])) --back;
    add(back);
    while (done_ < word_.size()) add(done_ + 1);
  }

  void split_everywhere() {
    if (word_.starts_with(kUnknownWord)) add(kUnknownWord.size());
    while (done_ < word_.size()) {
      if (begins_with_word_character(word_.substr(done_)))
        split_run();
      else
        add(done_ + first_character(word_.substr(done_)).size);
    }
  }

 private:
  /// Letters, with hyphens and apostrophes between them.
  void split_run() {
    for (std::size_t i = done_; i < word_.size();) {
      const Character c = first_character(word_.substr(i));
      const std::size_t next = i + c.size;
      if (!is_word_character(c.code)) {
        const bool inside = begins_with_word_character(word_.substr(next));
        if (!inside || !(is_hyphen(c.code) || is_apostrophe(c.code))) return add(i);
        if (is_apostrophe(c.code)) return split_at_apostrophe(i, next);
      }
      i = next;
    }
    add(word_.size());
  }

  void split_at_apostrophe(std::size_t apostrophe, std::size_t next) {
    const std::string_view ending = ending_of(word_.substr(next));
    const bool is_not = ending == "t" || ending == "T";
    const bool after_n = apostrophe > done_ + 1 && (word_[apostrophe - 1] | 0x20) == 'n';
    if (ending.empty() || (is_not && !after_n)) return add(next);
    add(is_not ? apostrophe - 1 : apostrophe);
    add(next + ending.size());
  }

  /// The bytes up to `end`, if any, are a part.
  void add(std::size_t end) {
    if (end == done_) return;
    parts_.push_back({.text = word_.substr(done_, end - done_),
                      .start = at_.start + static_cast<Index>(done_),
                      .word = at_.word,
                      .spaced = done_ == 0});
    done_ = end;
  }

  std::string_view word_;
  WordPart at_;
  std::vector<WordPart>& parts_;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<WordPart> word_parts(std::string_view text, const WordForm& form) {
  std::vector<WordPart> parts;
  WordPart at;
  for (std::size_t start = 0; start < text.size(); ++at.word) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    at.start = static_cast<Index>(start);
    Cutter cutter(text.substr(start, end - start), at, parts);
    if (form.version == 1 && form.split_punctuation)
      cutter.split_ends();
    else if (form.split_punctuation)
      cutter.split_everywhere();
    else if (form.version > 1)
      cutter.split_marks();
    cutter.keep();
    start = end + 1;
  }
  return parts;
}

std::string spelt_word(const WordPart& part, const WordForm& form) {
  std::string word = form.lower_case ? lower_case(part.text) : std::string(part.text);
  return form.version == 1 || part.spaced ? word : std::string(kJoinedMark) + word;
}

std::string text_of_word(std::string_view word, const WordForm& form) {
  // The mark alone is the character itself.
  const bool joined =
      form.version > 1 && word.starts_with(kJoinedMark) && word.size() > kJoinedMark.size();
  std::string text(joined ? "" : " ");
  return text.append(joined ? word.substr(kJoinedMark.size()) : word);
}

}  // namespace regard
