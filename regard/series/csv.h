#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// The fields of a line of CSV (RFC 4180), which views into the line: commas part them, one in
/// quotes may hold commas, and a quote there is written twice. Spaces and tabs around a field
/// without quotes are no part of it. A field cannot go on in the next line.
struct CsvLine {
  std::vector<std::string_view> fields;
  std::string fault;                 ///< what is wrong, and what to do; empty: nothing
  std::deque<std::string> unquoted;  ///< fields that had quotes within, where the views lead

  CsvLine() = default;
  CsvLine(CsvLine&&) = default;  // a copy would view into what it was copied from
};

CsvLine split_csv(std::string_view line);

/// A field that split_csv reads as this text: in quotes where it must be.
/// REQUIRES no end of a line inside
std::string csv_field(std::string_view text);

/// The shortest number that is read as the same double.
std::string csv_number(double value);

}  // namespace regard
