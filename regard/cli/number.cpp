#include "regard/cli/number.h"

#include <charconv>
#include <limits>
#include <sstream>

#include "regard/base/check.h"

namespace regard {
namespace {

std::string_view without_plus(std::string_view text) {
  // from_chars knows no '+'; "+-1" stays malformed.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  return text;
}

template <class T>
std::from_chars_result read(std::string_view text, T& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value);
}

/// from_chars does not say on which side of the range a number lies; streams do.
double out_of_range(std::string_view text) {
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  double value = 0;
  in >> value;
  return in.fail() ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto [end, error] = read(text, value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) return out_of_range(text);
  return value;
}

std::optional<Index> parse_whole(std::string_view text) {
  text = without_plus(text);
  Index value = 0;
  const auto [end, error] = read(text, value);
  if (end != text.data() + text.size() || error != std::errc()) return {};
  return value;
}

std::optional<Index> parse_count(std::string_view text) {
  const Index unit = text.ends_with('k') ? 1'000 : text.ends_with('M') ? 1'000'000 : 1;
  if (unit > 1) text.remove_suffix(1);
  std::optional<Index> count = parse_whole(text);
  if (count && __builtin_mul_overflow(*count, unit, &*count)) return {};
  return count;
}

std::vector<Index> parse_wholes(std::string_view text, std::string_view what) {
  std::vector<Index> numbers;
  for (const std::string& part : split_at_commas(text)) {
    const std::optional<Index> number = parse_whole(trimmed(part));
    check(number.has_value(), what, ": number ", numbers.size() + 1, " is '", part,
          "', expected whole numbers separated by commas, as 2,6");
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

}  // namespace regard
