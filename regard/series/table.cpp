#include "regard/series/table.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "regard/base/check.h"
#include "regard/batch/pair_filter.h"
#include "regard/series/csv.h"

namespace regard {
namespace {

// Sums of squares of so large numbers are finite still, however many rows there are.
constexpr double kLargest = 1e100;

/// A field as a message shows it: in quotes, cut where it is long.
std::string shown(std::string_view field) {
  constexpr std::size_t kMost = 40;
  std::string_view start = field.substr(0, kMost);
  while (!valid_utf8(start)) start.remove_suffix(1);  // the first bytes of a character
  return std::string("'").append(start).append(start.size() < field.size() ? "...'" : "'");
}

class TableReader {
 public:
  TableReader(Lines& lines, Index max_values) : lines_(lines), max_values_(max_values) {}

  SeriesTable read() {
    table_.path = lines_.path() == "-" ? "standard input" : lines_.path();
    read_header();
    while (const std::optional<TextLine> line = lines_.next()) {
      if (blank(*line)) {
        if (blank_line_ == 0) blank_line_ = line->number;
        continue;
      }
      if (blank_line_ > 0) refuse(blank_line_, "an empty line, with rows after it; remove it");
      read_row(*line);
    }
    if (time_.rows() < 2)
      refuse(lines_.number(),
             "expected two rows or more below the names, which tell the time step, found ",
             time_.rows());
    table_.time = time_.axis();
    return std::move(table_);
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(Index line, const Parts&... parts) const {
    fail(Blame(Fault::input).at(table_.path, line), table_.path, ":", line, ": ", parts...);
  }

  static bool blank(const TextLine& line) {
    return !line.too_long && line.text.find_first_not_of(" \t") == std::string_view::npos;
  }

  CsvLine fields_of(const TextLine& line) const {
    const std::string fault = fault_of_line(line);
    if (!fault.empty()) refuse(line.number, fault, "; expected fields separated by commas");
    CsvLine fields = split_csv(line.text);
    if (!fields.fault.empty()) refuse(line.number, fields.fault);
    return fields;
  }

  void read_header() {
    const std::optional<TextLine> line = lines_.next();
    if (!line || blank(*line))
      refuse(1, "no names; expected a first line such as date,load,temperature");
    const CsvLine names = fields_of(*line);
    if (parse_time_stamp(names.fields.front()))
      refuse(1, "expected the names of the columns, found the time stamp ",
             shown(names.fields.front()), "; write a first line such as date,load,temperature");
    if (names.fields.size() < 2)
      refuse(1, "expected a time column and one series or more, separated by commas, found ",
             shown(names.fields.front()), " alone");
    std::unordered_set<std::string_view> seen;
    for (const std::string_view name : names.fields) {
      if (name.empty()) refuse(1, "column ", seen.size() + 1, " has no name; give it one");
      if (!seen.insert(name).second)
        refuse(1, "two columns are called ", shown(name), "; rename one");
    }
    table_.time_name = names.fields.front();
    table_.names.assign(names.fields.begin() + 1, names.fields.end());
    table_.columns.resize(table_.names.size());
  }

  void read_row(const TextLine& line) {
    const CsvLine row = fields_of(line);
    const std::size_t expected = table_.names.size() + 1;
    if (row.fields.size() != expected)
      refuse(line.number, "expected ", expected, " fields as in the first line, found ",
             row.fields.size());
    const std::optional<TimeStamp> stamp = parse_time_stamp(row.fields.front());
    if (!stamp)
      refuse(line.number, "column ", shown(table_.time_name), ": expected ", kTimeForms, ", found ",
             shown(row.fields.front()));
    const std::string complaint = time_.add(*stamp);
    if (!complaint.empty())
      refuse(line.number, "column ", shown(table_.time_name), ": ", complaint);
    if (time_.rows() > max_values_ / static_cast<Index>(table_.columns.size()))
      refuse(line.number, "more than ", max_values_, " numbers; use fewer rows or series");
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      table_.columns[i].push_back(number(line.number, table_.names[i], row.fields[i + 1]));
  }

  double number(Index line, const std::string& name, std::string_view field) const {
    const auto wrong = [&](std::string_view what) {
      refuse(line, "column ", shown(name), ": ", what);
    };
    if (field.empty())
      wrong("the value is missing; fill it in, or leave out the rows up to here or the column");
    std::string_view digits = field;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end != digits.data() + digits.size() || error == std::errc::invalid_argument)
      wrong("expected a number such as -1.5 or 2e3, found " + shown(field));
    if (error != std::errc() || !(std::abs(value) <= kLargest))
      wrong("expected a finite number of 1e-300 to 1e100 in size, or 0, found " + shown(field));
    return value;
  }

  Lines& lines_;
  const Index max_values_;
  SeriesTable table_;
  TimeAxisFinder time_;
  Index blank_line_ = 0;  // the first one after the rows; 0: none
};

}  // namespace

SeriesTable read_series(Lines& lines, Index max_values) {
  return TableReader(lines, max_values).read();
}

SeriesTable read_series(const std::string& path) {
  Lines lines(path);
  return read_series(lines);
}

void check_times(const SeriesTable& table, Index rows) {
  const TimeAxis& time = table.time;
  if (rows == 0 || time.moment(rows - 1)) return;
  const Index last = table.rows() + 1;  // line, below the names
  fail(Blame(Fault::input).at(table.path, last), table.path, ":", last,
       ": the time column cannot be continued from ", time.text(table.rows() - 1), " by ",
       rows - table.rows(), " rows in steps of ", time.step_text(),
       ", as it leaves the calendar; use a shorter horizon or plain numbers");
}

}  // namespace regard
