#include "regard/cli/matrix/separated.h"

#include <cmath>
#include <vector>

#include "regard/cli/number.h"

namespace regard {
namespace {

struct Row {
  std::string_view text;
  Index line = 0;
};

constexpr char kSpaces = ' ';  ///< as a separator: any run of spaces

std::vector<Row> rows_of(std::string_view text, bool is_file) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  std::vector<Row> rows;
  for (Index line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find_first_of(is_file ? "\n" : ";\n");
    const std::string_view row = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    // A blank line is nothing; an empty row between two ';' is a slip that must be heard of.
    if (is_file ? row.empty() || row.front() == '#' : row.empty() && trimmed(text).empty())
      continue;
    rows.push_back({row, line});
  }
  return rows;
}

char separator_of(std::string_view row, bool is_file) {
  for (const char candidate : {'\t', ';', ','})
    if ((is_file || candidate == ',') && row.find(candidate) != row.npos) return candidate;
  return kSpaces;
}

std::vector<std::string_view> cells_of(std::string_view row, char separator) {
  std::vector<std::string_view> cells;
  while (separator != kSpaces || !row.empty()) {
    const std::size_t end = separator == kSpaces ? row.find_first_of(" \t") : row.find(separator);
    cells.push_back(trimmed(row.substr(0, end)));
    if (end == row.npos) break;
    row.remove_prefix(end + 1);
    if (separator == kSpaces) row = trimmed(row);
  }
  return cells;
}

bool is_header(const std::vector<std::string_view>& cells) {
  for (const std::string_view cell : cells)
    if (parse_number(cell)) return false;
  return true;
}

/// The number in a cell. `row` and `column` count from 1.
double number_in(std::string_view cell, const Source& source, const Row& at, Index row,
                 Index column) {
  const auto blame = [&](const auto&... parts) {
    fail_at(source, at.line, "row ", row, ", column ", column, " ", parts...);
  };
  if (cell.empty()) blame("is empty, expected a number");
  const std::optional<double> number = parse_number(cell);
  if (!number && cell.find_first_of(",;") != cell.npos)
    blame("is '", cell.substr(0, 40), "', not a number; decimals are written with a point, and ",
          source.is_file ? "each row is a line of its own" : "rows end in ';'");
  if (!number) blame("is '", cell.substr(0, 40), "', not a number");
  if (!std::isfinite(*number)) blame("is ", cell.substr(0, 40), ", expected a finite number");
  return *number;
}

}  // namespace

Tensor parse_separated(std::string_view text, const Source& source) {
  std::vector<Row> rows = rows_of(text, source.is_file);
  if (rows.empty()) fail_at(source, 0, "is empty, expected a matrix as '1,2;3,4'");
  const char separator = separator_of(rows.front().text, source.is_file);
  if (source.is_file && rows.size() > 1 && is_header(cells_of(rows.front().text, separator)))
    rows.erase(rows.begin());

  std::vector<double> numbers;
  Index row = 0, width = 0;
  for (const Row& at : rows) {
    const std::vector<std::string_view> cells = cells_of(at.text, separator);
    const Index found = static_cast<Index>(cells.size());
    ++row;
    for (Index column = 1; column <= found; ++column)
      numbers.push_back(
          number_in(cells[static_cast<std::size_t>(column - 1)], source, at, row, column));
    if (row == 1) width = found;
    if (found != width)
      fail_at(source, at.line, "row ", row, " has ", found, found == 1 ? " number" : " numbers",
              ", row 1 has ", width, "; all rows of a matrix are of one length");
  }
  return Tensor::of({row, width}, numbers, Dtype::f64);
}

}  // namespace regard
