#include "regard/tokens/sentences.h"

#include <optional>

#include "regard/tokens/abbreviations.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/sentence_marks.h"

namespace regard {
namespace {

constexpr std::size_t kLongestAbbreviation = 24;  // bytes, with room to spare

bool is_roman_number(std::string_view word) {
  return word.size() >= 2 && word.find_first_not_of("IVX") == std::string_view::npos;
}

/// The letters at the front of a text.
std::string_view first_word(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size()) {
    const Character c = first_character(text.substr(size));
    if (!is_letter(c.code) && !is_mark(c.code)) break;
    size += c.size;
  }
  return text.substr(0, size);
}

struct Shape {
  bool digits = true;   ///< nothing else
  bool dotted = false;  ///< "U.S", "т.е": single letters between full stops
  std::size_t letters = 0, characters = 0;
  bool upper = false;
};

Shape shape_of(std::string_view word) {
  Shape shape;
  std::size_t part = 0;
  bool single = true;
  while (!word.empty()) {
    const Character c = first_character(word);
    word.remove_prefix(c.size);
    if (is_mark(c.code)) continue;
    ++shape.characters;
    shape.digits = shape.digits && is_digit(c.code);
    shape.upper = shape.upper || is_upper(c.code);
    shape.letters += is_letter(c.code);
    if (c.code == '.') {
      shape.dotted = true;
      part = 0;
    } else {
      single = single && is_letter(c.code) && ++part == 1;
    }
  }
  shape.dotted = shape.dotted && single;
  return shape;
}

class Splitter {
 public:
  Splitter(std::string_view text, Newlines newlines) : text_(text), newlines_(newlines) {}

  std::vector<SentenceRange> split() {
    while (at_ < text_.size()) {
      const Character c = character(at_);
      if (is_space(c.code)) {
        if (breaks(c.code)) end_sentence();
        in_word_ = false;
        at_ += c.size;
      } else {
        take(c);
      }
    }
    end_sentence();
    return std::move(found_);
  }

 private:
  /// Stops one after another, with what closes behind them.
  struct Run {
    std::size_t end = 0;
    int full_stops = 0;
    bool strong = false, ellipsis = false, spaceless = false, closed = false;
  };

  Character character(std::size_t at) const { return first_character(text_.substr(at)); }
  bool breaks(std::int32_t c) const {
    return newlines_ == Newlines::end_sentences && is_line_break(c);
  }

  void take(Character c) {
    if (!begun_) {
      begun_ = true;
      start_ = at_;
      upper_ = odd_quotes_ = in_word_ = false;
      previous_ = 0;
    }
    if (!in_word_) word_ = at_;
    in_word_ = true;
    if (stop_of(c.code, previous_) == Stop::none) {
      upper_ = upper_ || is_upper(c.code);
      odd_quotes_ ^= c.code == '"';
      if (!is_mark(c.code)) previous_ = c.code;
      at_ += c.size;
      end_ = at_;
      return;
    }
    const Run run = read_run();
    const bool cut = ends_sentence(run);
    at_ = end_ = run.end;
    previous_ = 0;
    if (cut) end_sentence();
  }

  void end_sentence() {
    if (begun_) found_.push_back({start_, end_});
    begun_ = in_word_ = false;
  }

  /// Where the white space at a place ends; none if a line break in it ends the sentence.
  std::optional<std::size_t> after_space(std::size_t at) const {
    while (at < text_.size()) {
      const Character c = character(at);
      if (!is_space(c.code)) break;
      if (breaks(c.code)) return std::nullopt;
      at += c.size;
    }
    return at;
  }

  bool space_or_end(std::size_t at) const {
    return at >= text_.size() || is_space(character(at).code);
  }

  Run read_run() {
    Run run;
    std::size_t at = at_;
    std::int32_t previous = previous_;
    while (at < text_.size()) {
      const Character c = character(at);
      if (const Stop stop = stop_of(c.code, previous); stop != Stop::none) {
        run.full_stops += stop == Stop::full_stop;
        run.ellipsis = run.ellipsis || stop == Stop::ellipsis || run.full_stops > 1;
        run.strong = run.strong || stop == Stop::strong;
        run.spaceless = run.spaceless || stop == Stop::spaceless;
        at += c.size;
      } else if (closes(c.code, run.spaceless)) {
        run.closed = true;
        odd_quotes_ ^= c.code == '"';
        at += c.size;
      } else if (const std::size_t note = note_size(at); note > 0) {
        at += note;
      } else if (const auto next = after_space(at); next && *next > at && detached(*next)) {
        at = *next;  // a stop or a closing mark that stands alone: ". . ." or "oui. »"
        if (stop_of(character(at).code, 0) == Stop::none) {
          run.closed = true;
          odd_quotes_ ^= character(at).code == '"';
          at += character(at).size;
        }
      } else {
        break;
      }
      previous = 0;
      run.end = at;
    }
    return run;
  }

  /// The bytes of "[12]", a footnote.
  std::size_t note_size(std::size_t at) const {
    std::size_t end = at;
    if (text_[end] != '[') return 0;
    while (++end < text_.size() && text_[end] >= '0' && text_[end] <= '9') {
    }
    return end < text_.size() && end > at + 1 && text_[end] == ']' ? end + 1 - at : 0;
  }

  /// Whether a stop or a closing mark behind white space belongs to the sentence before it.
  bool detached(std::size_t at) const {
    if (at >= text_.size()) return false;
    const Character c = character(at);
    const std::size_t after = at + c.size;
    const Stop stop = stop_of(c.code, 0);
    if (stop == Stop::full_stop || stop == Stop::ellipsis || stop == Stop::strong) {
      std::size_t end = after;  // ".NET" is a word
      while (end < text_.size() && stop_of(character(end).code, 0) != Stop::none)
        end += character(end).size;
      return space_or_end(end);
    }
    if (stop != Stop::none || !space_or_end(after)) return false;
    return is_closer(c.code) || (c.code == '"' && odd_quotes_);
  }

  bool ends_sentence(const Run& run) const {
    const auto next = after_space(run.end);
    if (!next || *next >= text_.size()) return true;
    const bool space = *next > run.end;
    if (run.spaceless)
      return space ? !(run.closed && is_lower(lead(*next))) : ends_here(run, *next);
    if (!space) return false;
    const std::int32_t first = lead(*next);
    const bool lower = is_lower(first);
    if (run.strong) return !lower || !(upper_ || run.closed);
    if (run.ellipsis) return first != 0 && is_letter(first) && !lower;
    const std::string_view word = word_before();
    if (word.empty()) return !(lower && run.closed);
    if (lower && (upper_ || run.closed)) return false;
    return full_stop_ends(word, first, first_word(text_.substr(*next)));
  }

  /// Whether a stop ends a sentence that another character follows without a space.
  bool ends_here(const Run& run, std::size_t next) const {
    const std::int32_t c = character(next).code;
    if (run.closed) return is_opener(c);
    if (is_digit(c) && character(at_).code == 0xFF0E && is_digit(previous_)) return false;
    return !is_mark(c) && !is_punctuation(c);
  }

  /// The word that a full stop follows, without what opens before it; the part behind a hyphen
  /// where that alone is an abbreviation.
  std::string_view word_before() const {
    std::string_view word = text_.substr(word_, at_ - word_);
    while (!word.empty() && is_quote_or_bracket(first_character(word).code))
      word.remove_prefix(first_character(word).size);
    return word;
  }

  bool full_stop_ends(std::string_view word, std::int32_t next, std::string_view next_word) const {
    if (word.size() > kLongestAbbreviation) return true;
    const bool starter = begins_sentences(next_word);
    const Shape shape = shape_of(word);
    if (shape.digits) {
      // "1. Install", "am 5. Mai", but "in 1999. Then".
      if (word_ == start_ || is_lower(next)) return false;
      return shape.characters > 2 || starter || next_word == "I";
    }
    Abbreviation known = abbreviation(word);
    if (const std::size_t hyphen = word.rfind('-');
        known == Abbreviation::none && hyphen != std::string_view::npos)
      known = abbreviation(word.substr(hyphen + 1));
    switch (known) {
      case Abbreviation::inside:
        return false;
      case Abbreviation::before_number:
        return !is_digit(next);
      case Abbreviation::name_end:
        return starter;
      case Abbreviation::list_end:
        return !is_lower(next) && !is_digit(next);
      case Abbreviation::none:
        break;
    }
    // "J. Smith", "z. B."; but "a plan B. The" ends one.
    if (shape.letters == 1 && shape.characters == 1 && !is_unspaced(first_character(word).code))
      return shape.upper && starter && next_word.size() > 1;
    if (shape.dotted) return shape.upper && (starter || is_pronoun(next_word));
    if (is_roman_number(word)) return starter;
    return true;
  }

  /// "I", but not the initial "I." of a name.
  bool is_pronoun(std::string_view word) const {
    const char* after = word.data() + word.size();
    return word == "I" && (after == text_.data() + text_.size() || *after != '.');
  }

  /// The first letter or digit of what follows, or else the first sign; quotes, brackets and dashes
  /// may stand before it. 0: none in this line.
  std::int32_t lead(std::size_t at) const {
    constexpr int kMax = 8;
    for (int i = 0; i < kMax && at < text_.size(); ++i) {
      const Character c = character(at);
      if (breaks(c.code)) return 0;
      if (!may_lead(c.code) && !is_space(c.code)) return c.code;
      at += c.size;
    }
    return 0;
  }

  std::string_view text_;
  Newlines newlines_;
  std::vector<SentenceRange> found_;
  std::size_t at_ = 0;
  std::size_t start_ = 0, end_ = 0;  // of the sentence so far
  std::size_t word_ = 0;             // where the word so far begins
  bool begun_ = false, in_word_ = false;
  bool upper_ = false;       // the sentence has a capital
  bool odd_quotes_ = false;  // one of its " is open
  std::int32_t previous_ = 0;
};

/// The last character of a text that has one.
std::int32_t last_character(std::string_view text) {
  std::size_t at = text.size() - 1;
  for (int i = 0; i < 3 && at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; ++i)
    --at;
  return first_character(text.substr(at)).code;
}

}  // namespace

std::vector<SentenceRange> split_sentences(std::string_view text, Newlines newlines) {
  return Splitter(text, newlines).split();
}

bool needs_space(std::string_view before, std::string_view sentence) {
  if (before.empty() || sentence.empty()) return false;
  const std::int32_t last = last_character(before), first = first_character(sentence).code;
  return !is_space(last) && !is_space(first) && !is_unspaced(last) && !is_unspaced(first);
}

}  // namespace regard
