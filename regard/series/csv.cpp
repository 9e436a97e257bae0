#include "regard/series/csv.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace regard {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr char kQuote = '"';

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Takes fields from the front of a line, one after the other.
class CsvSplitter {
 public:
  explicit CsvSplitter(std::string_view line) : rest_(line) {}

  CsvLine split() {
    for (bool more = true; more && line_.fault.empty();) {
      const std::size_t begin = rest_.find_first_not_of(kBlanks);
      if (begin != rest_.npos && rest_[begin] == kQuote)
        quoted(begin + 1);
      else
        plain();
      more = !rest_.empty();
      if (more) rest_.remove_prefix(1);  // the comma
    }
    return std::move(line_);
  }

 private:
  void refuse(const std::string& what) {
    line_.fault = "field " + std::to_string(line_.fields.size() + 1) + " " + what;
  }

  void plain() {
    const std::string_view field = without_blanks(rest_.substr(0, rest_.find(',')));
    if (field.find(kQuote) != field.npos)
      refuse("has a quote inside; put the field in quotes and write the quote twice");
    line_.fields.push_back(field);
    rest_.remove_prefix(std::min(rest_.find(','), rest_.size()));
  }

  void quoted(std::size_t begin) {
    std::string text;
    bool doubled = false;
    for (std::size_t from = begin;; doubled = true) {
      const std::size_t end = rest_.find(kQuote, from);
      if (end == rest_.npos) return refuse("has no closing quote in this line");
      const bool inside = end + 1 < rest_.size() && rest_[end + 1] == kQuote;
      if (inside || doubled) text += rest_.substr(from, end + inside - from);
      from = end + 2;
      if (inside) continue;
      line_.fields.push_back(doubled ? line_.unquoted.emplace_back(std::move(text))
                                     : rest_.substr(begin, end - begin));
      rest_.remove_prefix(end + 1);
      break;
    }
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    if (rest_.empty() || rest_.front() == ',') return;
    line_.fields.pop_back();
    refuse("goes on after its closing quote; expected a comma");
  }

  std::string_view rest_;
  CsvLine line_;
};

}  // namespace

CsvLine split_csv(std::string_view line) {
  return CsvSplitter(line).split();
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"") == text.npos && without_blanks(text).size() == text.size())
    return std::string(text);
  std::string field(1, kQuote);
  for (const char c : text) field.append(c == kQuote ? 2 : 1, c);
  return field + kQuote;
}

std::string csv_number(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), value);
  return {text, end};
}

}  // namespace regard
