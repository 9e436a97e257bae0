#include "regard/batch/tsv.h"

#include <algorithm>

namespace regard {
namespace {

/// The number of a word in a sentence: so few digits that any reader can count so far.
bool is_place(std::string_view text) {
  constexpr std::size_t kMaxDigits = 9;
  return !text.empty() && text.size() <= kMaxDigits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "12-3": digits, a dash, digits.
bool is_link(std::string_view word) {
  const std::size_t dash = word.find('-');
  return dash != std::string_view::npos && is_place(word.substr(0, dash)) &&
         is_place(word.substr(dash + 1));
}

}  // namespace

bool is_alignment(std::string_view text) {
  for (;;) {
    const std::size_t space = text.find(' ');
    if (!is_link(text.substr(0, space))) return false;
    if (space == std::string_view::npos) return true;
    text.remove_prefix(space + 1);
  }
}

void read_tsv(Lines& lines, PairFilter& filter) {
  while (const std::optional<TextLine> line = lines.next()) {
    const Place place{lines.path(), line->number};
    const std::string fault = fault_of_line(*line);
    const auto tabs = std::ranges::count(line->text, '\t');
    if (!fault.empty()) {
      filter.bad(place, fault);
    } else if (tabs < 1 || tabs > 2) {
      filter.bad(place, tabs < 1 ? "no tab between source and target" : "more than three fields");
    } else {
      const std::size_t first = line->text.find('\t');
      const std::size_t second = std::min(line->text.find('\t', first + 1), line->text.size());
      Pair pair{std::string(line->text.substr(0, first)),
                std::string(line->text.substr(first + 1, second - first - 1))};
      if (tabs == 2 && is_alignment(line->text.substr(second + 1)))
        pair.alignment = line->text.substr(second + 1);
      if (count_words(pair.source) == 0 || count_words(pair.target) == 0)
        filter.bad(place, "one side is empty");
      else
        filter.take(std::move(pair));
    }
  }
}

}  // namespace regard
