#include "regard/batch/pair_filter.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <utility>

#include "regard/base/check.h"
#include "regard/batch/lines.h"

namespace regard {

std::size_t PairFilter::Hash::operator()(Index i) const {
  const Pair& pair = (*pairs)[static_cast<std::size_t>(i)];
  const std::hash<std::string_view> hash;
  return hash(pair.source) * 31 + hash(pair.target);
}

bool PairFilter::Same::operator()(Index a, Index b) const {
  const Pair& first = (*pairs)[static_cast<std::size_t>(a)];
  const Pair& second = (*pairs)[static_cast<std::size_t>(b)];
  return first.source == second.source && first.target == second.target;
}

PairFilter::PairFilter(const Filters& filters, CorpusReport& report)
    : filters_(filters), report_(report), seen_(0, Hash{&pairs_}, Same{&pairs_}) {}

void PairFilter::take(Pair pair) {
  const Index source = count_words(pair.source), target = count_words(pair.target);
  const auto [shorter, longer] = std::minmax(source, target);
  constexpr Index kShort = 10;  // short sentences may differ by any ratio: "Hi." / "How do you do?"
  if (shorter == 0) return drop("one side is empty");
  if (longer > filters_.max_words) return drop("too many words");
  if (longer > kShort &&
      static_cast<double>(longer) > filters_.max_ratio * static_cast<double>(shorter))
    return drop("sides differ too much in length");
  if (filters_.drop_identical && pair.source == pair.target) return drop("identical sides");
  keep(std::move(pair));
}

void PairFilter::take_text(std::string text) {
  if (count_words(text) == 0) return drop("empty");
  keep({.source = "", .target = std::move(text)});
}

void PairFilter::take_labelled(Pair pair) {
  const Index words = count_words(pair.source);
  if (words == 0 || pair.target.empty()) return drop("text or label is empty");
  if (words > filters_.max_words) return drop("too many words");
  keep(std::move(pair));
}

void PairFilter::keep(Pair pair) {
  pairs_.push_back(std::move(pair));
  if (filters_.drop_duplicates && !seen_.insert(static_cast<Index>(pairs_.size()) - 1).second) {
    pairs_.pop_back();
    return drop("duplicate");
  }
  ++report_.read;
  ++report_.kept;
}

void PairFilter::drop(const std::string& reason) {
  ++report_.read;
  ++report_.dropped[reason];
}

void PairFilter::bad(Place place, const std::string& reason) {
  drop(reason);
  std::ostringstream complaint;
  complaint.imbue(std::locale::classic());
  complaint << place.path << ':' << place.line << ": " << reason;
  if (report_.first_errors.size() < CorpusReport::kMaxErrors)
    report_.first_errors.push_back(complaint.str());
  if (filters_.on_bad_line == "stop")
    fail(Blame(Fault::input).at(place.path, place.line), complaint.str(),
         "; fix the line, or set on_bad_line to skip such lines");
}

std::vector<Pair> PairFilter::finish(std::string_view name) {
  if (pairs_.empty() && report_.read == 0)
    fail(Fault::input, name, ": empty corpus: no line to read");
  if (pairs_.empty())
    fail(Fault::input, name, ": no ", report_.what, " is left to use: ", report_.text());
  return std::move(pairs_);
}

std::string fault_of_text(std::string_view text) {
  if (!valid_utf8(text)) return "not valid UTF-8";
  if (text.find('\0') != std::string_view::npos) return "NUL inside the line";
  if (text.find('\r') != std::string_view::npos) return "carriage return inside the line";
  return {};
}

std::string fault_of_line(const TextLine& line) {
  return line.too_long ? "line too long" : fault_of_text(line.text);
}

Index count_words(std::string_view text) {
  Index words = 0, characters = 0;
  const auto end_run = [&] {
    if (characters > 0) words += std::max<Index>(1, characters / 8);
    characters = 0;
  };
  while (!text.empty()) {
    const Character c = first_character(text);
    if (is_space(c.code))
      end_run();
    else
      ++characters;
    text.remove_prefix(c.size);
  }
  end_run();
  return words;
}

std::string on_one_line(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  std::string line;
  for (std::size_t i = text.find_first_not_of(kSpace); i != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(kSpace, i);
    if (!line.empty()) line += ' ';
    line += text.substr(i, end - i);
    i = text.find_first_not_of(kSpace, end);
  }
  return line;
}

}  // namespace regard
