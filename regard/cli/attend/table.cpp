#include "regard/cli/attend/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr Index kMaxRows = 24;
constexpr int kDecimals = 6, kMaxLabel = 16, kIndent = 2, kGap = 2;
constexpr int kMark = 2;  ///< columns that ".." takes
constexpr Index kLeftOut = -1;

constexpr std::string_view kNote = "  (.. marks what is left out; --json has it all)\n";

/// Which of n things are shown if there is room for `room`: the first ones, a mark, the last.
std::vector<Index> shown_of(Index n, Index room) {
  std::vector<Index> shown;
  for (Index i = 0; i < n; ++i)
    if (n <= room || i < room - 2 || i == n - 1)
      shown.push_back(i);
    else if (shown.back() != kLeftOut)
      shown.push_back(kLeftOut);
  return shown;
}

/// The numbers at the shown places, row by row.
std::vector<double> numbers_at(const Tensor& values, const std::vector<Index>& down,
                               const std::vector<Index>& across) {
  std::vector<double> numbers;
  for (const Index row : down)
    for (const Index column : across)
      if (row != kLeftOut && column != kLeftOut) numbers.push_back(values.at({row, column}));
  return numbers;
}

/// One way of writing that suits all numbers of a table.
struct Style {
  bool scientific = false;
  int decimals = 0;

  std::string operator()(double x) const {
    if (std::isnan(x)) return "-";
    if (x == 0) return "0";  // exactly, as 0.000000 may be a small number
    std::string digits =
        scientific ? fmt::format("{:.{}e}", x, decimals) : fmt::format("{:.{}f}", x, decimals);
    // A tiny negative number rounds to "-0.00".
    if (digits.find_first_not_of("-0.") == digits.npos && digits[0] == '-') digits.erase(0, 1);
    return digits;
  }
};

Style style_for(std::span<const double> values) {
  double largest = 0;
  for (const double x : values)
    if (!std::isnan(x)) largest = std::max(largest, std::abs(x));
  if (largest >= 1e9 || (largest > 0 && largest < 1e-3)) return {true, kDecimals};
  Style style;
  for (const double x : values) {
    if (std::isnan(x)) continue;
    const std::string digits = fmt::format("{:.{}f}", x, kDecimals);
    const std::size_t last = digits.find_last_not_of('0');
    style.decimals = std::max(style.decimals, static_cast<int>(last - digits.find('.')));
  }
  return style;
}

int widest(const std::vector<std::string>& labels, const Terminal& terminal) {
  int width = 0;
  for (const std::string& label : labels)
    width = std::max(width, display_width(shown(terminal, label)));
  return std::min(width, kMaxLabel);
}

}  // namespace

std::string text(const Table& table, const Terminal& terminal) {
  const Index rows = table.values.size(0), columns = table.values.size(1);
  const std::vector<Index> down = shown_of(rows, kMaxRows);
  int label = widest(table.row_labels, terminal);
  if (rows > kMaxRows) label = std::max(label, kMark);
  const auto room = [&](int cell) -> Index {
    return std::max(3, (terminal.width - kIndent - label) / (cell + kGap));
  };
  // Of a large matrix, only what could be shown if all cells were narrow is looked at.
  const std::vector<double> numbers = numbers_at(table.values, down, shown_of(columns, room(1)));
  const Style style = style_for(numbers);
  int cell = widest(table.col_labels, terminal);
  for (const double x : numbers) cell = std::max(cell, static_cast<int>(style(x).size()));
  if (rows > kMaxRows || columns > room(cell)) cell = std::max(cell, kMark);
  const std::vector<Index> across = shown_of(columns, room(cell));

  const auto line = [&](std::string_view name, const auto& cell_text) {
    std::string out(kIndent, ' ');
    out += fitted(terminal, name, label);
    for (const Index column : across)
      out += std::string(kGap, ' ') +
             fitted(terminal, column == kLeftOut ? ".." : cell_text(column), cell, Side::right);
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
  };

  std::string out;
  if (!table.col_labels.empty())
    out +=
        line("", [&](Index column) { return table.col_labels[static_cast<std::size_t>(column)]; });
  for (const Index row : down) {
    if (row == kLeftOut) {
      out += line("..", [](Index) { return std::string(".."); });
      continue;
    }
    out += line(table.row_labels[static_cast<std::size_t>(row)], [&](Index column) {
      return style(table.values.at({row, column}));
    });
  }
  const bool whole = std::ssize(across) == columns && rows <= kMaxRows;
  return whole ? out : out.append(kNote);
}

}  // namespace regard
