#include "regard/series/split.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "regard/base/check.h"

namespace regard {
namespace {

/// Of train, valid and test.
template <class T>
using Three = std::array<T, 3>;

constexpr Three<double> kUsualShares{0.7, 0.1, 0.2};
constexpr Three<Index> kUsualMonths{12, 4, 4};

RowSplit split_after(const Three<Index>& rows) {
  const Index train = rows[0], valid = train + rows[1], test = valid + rows[2];
  return {.train = {0, train}, .valid = {train, valid}, .test = {valid, test}};
}

RowSplit split_by_shares(const SeriesTable& table, const Three<double>& shares) {
  // What is a whole number but for rounding, as 0.29 of 100 rows, is that number.
  constexpr double kRounding = 1e-9;
  const Index rows = table.rows();
  Three<Index> parts;
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i] = static_cast<Index>(std::floor(shares[i] * static_cast<double>(rows) + kRounding));
  if (shares[0] + shares[1] + shares[2] > 1 - kRounding) parts[1] = rows - parts[0] - parts[2];
  for (const Index part : parts)
    if (part < 1)
      fail(Blame(Fault::input).at(table.path), table.path, ": ", rows,
           " rows are too few to split by shares of ", shares[0], ", ", shares[1], " and ",
           shares[2], "; each part needs a row");
  return split_after(parts);
}

RowSplit usual_split(const SeriesTable& table) {
  constexpr Index kDaysOfMonth = 30;
  const TimeAxis& time = table.time;
  const bool calendar = time.first.form.kind != TimeForm::Kind::number;
  if (calendar && time.step.unit == TimeStep::Unit::moment && time.step.count <= kSecondsOfDay) {
    const Index month = kDaysOfMonth * kSecondsOfDay / time.step.count;
    const RowSplit split =
        split_after({kUsualMonths[0] * month, kUsualMonths[1] * month, kUsualMonths[2] * month});
    // Of a table that is much longer these months would leave the most out.
    if (split.test.end <= table.rows() && 2 * table.rows() < 3 * split.test.end) return split;
  }
  return split_by_shares(table, kUsualShares);
}

[[noreturn]] void refuse_split(std::string_view text) {
  fail(Fault::usage, "a split of '", text,
       "', expected the rows of train, valid and test, as 8640,2880,2880, or their shares, as "
       "0.7,0.1,0.2, each above 0");
}

Three<double> three_numbers(std::string_view text) {
  Three<double> numbers;
  std::string_view rest = text;
  for (double& number : numbers) {
    const bool last = &number == &numbers.back();
    const std::size_t comma = rest.find(',');
    if (last != (comma == rest.npos)) refuse_split(text);
    std::string_view part = rest.substr(0, comma);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc() || end != part.data() + part.size()) refuse_split(text);
    if (!last) rest.remove_prefix(comma + 1);
  }
  return numbers;
}

}  // namespace

RowSplit split_rows(const SeriesTable& table, std::string_view text) {
  if (text.empty()) return usual_split(table);
  const Three<double> numbers = three_numbers(text);
  bool shares = true, whole = true;
  for (const double number : numbers) {
    shares = shares && number > 0 && number < 1;
    whole = whole && number >= 1 && number < 1e12 && number == std::floor(number);
  }
  if (shares && numbers[0] + numbers[1] + numbers[2] <= 1 + 1e-9)
    return split_by_shares(table, numbers);
  if (!whole) refuse_split(text);
  const RowSplit split =
      split_after({static_cast<Index>(numbers[0]), static_cast<Index>(numbers[1]),
                   static_cast<Index>(numbers[2])});
  if (split.test.end > table.rows())
    fail(Blame(Fault::input).at(table.path), table.path, ": ", table.rows(),
         " rows, fewer than the ", split.test.end, " of the split ", text,
         "; give the parts fewer rows, or shares such as 0.7,0.1,0.2");
  return split;
}

}  // namespace regard
