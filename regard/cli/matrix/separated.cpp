#include "regard/cli/matrix/separated.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "regard/cli/number.h"

namespace regard {
namespace {

struct Row {
  std::string_view text;
  Index line = 0;
};

constexpr char kSpaces = ' ';  ///< as a separator: any run of spaces

/// Takes the rows of a text one by one: a list of them would be larger than a text of short lines.
class SeparatedRows {
 public:
  SeparatedRows(std::string_view text, bool is_file) : text_(text), is_file_(is_file) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);  // a byte order mark
  }

  std::optional<Row> next() {
    while (!text_.empty()) {
      const std::size_t end = text_.find_first_of(is_file_ ? "\n" : ";\n");
      const std::string_view row = trimmed(text_.substr(0, end));
      text_.remove_prefix(end == text_.npos ? text_.size() : end + 1);
      ++line_;
      // A blank line is nothing; an empty row between two ';' is a slip that must be heard of.
      if (is_file_ ? row.empty() || row.front() == '#' : row.empty() && trimmed(text_).empty())
        continue;
      return Row{row, line_};
    }
    return {};
  }

 private:
  std::string_view text_;
  bool is_file_;
  Index line_ = 0;
};

char separator_of(std::string_view row, bool is_file) {
  for (const char candidate : {'\t', ';', ','})
    if ((is_file || candidate == ',') && row.find(candidate) != row.npos) return candidate;
  return kSpaces;
}

/// The cells of a row, into `cells`.
void split(std::string_view row, char separator, std::vector<std::string_view>& cells) {
  cells.clear();
  while (separator != kSpaces || !row.empty()) {
    const std::size_t end = separator == kSpaces ? row.find_first_of(" \t") : row.find(separator);
    cells.push_back(trimmed(row.substr(0, end)));
    if (end == row.npos) break;
    row.remove_prefix(end + 1);
    if (separator == kSpaces) row = trimmed(row);
  }
}

bool is_header(const std::vector<std::string_view>& cells) {
  for (const std::string_view cell : cells)
    if (parse_number(cell)) return false;
  return true;
}

/// The number in a cell. `row` and `column` count from 1.
double number_in(std::string_view cell, const InputSource& source, const Row& at, Index row,
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

/// No more numbers than this are in the text: one byte or more parts a number from the next.
std::size_t count_at_most(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
           return std::string_view(",;\t\n ").find(c) != std::string_view::npos;
         }));
}

}  // namespace

Tensor parse_separated(std::string_view text, const InputSource& source) {
  SeparatedRows rows(text, source.is_file);
  std::optional<Row> at = rows.next();
  if (!at) fail_at(source, 0, "is empty, expected a matrix as '1,2;3,4'");
  const char separator = separator_of(at->text, source.is_file);
  std::vector<std::string_view> cells;
  split(at->text, separator, cells);
  if (source.is_file && is_header(cells)) {
    const Row header = *at;
    at = rows.next();
    if (!at) at = header;  // alone, it is a matrix gone wrong
  }

  std::vector<double> numbers;
  numbers.reserve(count_at_most(text));
  Index row = 0, width = 0;
  for (; at; at = rows.next()) {
    split(at->text, separator, cells);
    const Index found = static_cast<Index>(cells.size());
    ++row;
    if (found == 0) fail_at(source, at->line, "row ", row, " is empty, expected numbers");
    for (Index column = 1; column <= found; ++column)
      numbers.push_back(
          number_in(cells[static_cast<std::size_t>(column - 1)], source, *at, row, column));
    if (row == 1) width = found;
    if (found != width)
      fail_at(source, at->line, "row ", row, " has ", found, found == 1 ? " number" : " numbers",
              ", row 1 has ", width, "; all rows of a matrix are of one length");
  }
  return Tensor::of({row, width}, numbers, Dtype::f64);
}

}  // namespace regard
