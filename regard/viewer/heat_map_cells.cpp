#include "regard/viewer/heat_map_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr double kFarthest = std::numeric_limits<double>::max() / 4;

std::int64_t blocks(std::int64_t count, std::int64_t side) {
  return (count + side - 1) / side;
}

}  // namespace

void check_panels(const HeatMap& map) {
  for (std::size_t i = 0; i < map.panels.size(); ++i) {
    const Panel& p = map.panels[i];
    const auto fits = [](const std::vector<std::string>& labels, std::int64_t count) {
      return labels.empty() || static_cast<std::int64_t>(labels.size()) == count;
    };
    check(p.rows >= 0 && p.cols >= 0, "heat map: panel ", i, " has ", p.rows, " rows and ", p.cols,
          " columns; expected 0 or more of each");
    check(static_cast<std::int64_t>(p.values.size()) == p.rows * p.cols, "heat map: panel ", i,
          " has ", p.values.size(), " values; expected rows x cols = ", p.rows, " x ", p.cols);
    check(fits(p.row_labels, p.rows), "heat map: panel ", i, " has ", p.row_labels.size(),
          " row labels for ", p.rows, " rows; give one per row, or none");
    check(fits(p.col_labels, p.cols), "heat map: panel ", i, " has ", p.col_labels.size(),
          " column labels for ", p.cols, " columns; give one per column, or none");
  }
  check(map.panels_across >= 0, "heat map: panels_across is ", map.panels_across,
        "; expected 0 (chosen) or more");
}

ColourScale scale_of(const HeatMap& map) {
  if (map.range) return {map.range->first, map.range->second};
  double low = 0, high = 0;
  for (const Panel& panel : map.panels)
    for (const double value : panel.values)
      if (std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  // Far ends are held where their distance is still a number.
  low = std::max(low, -kFarthest), high = std::min(high, kFarthest);
  if (low < 0) high = std::max(high, -low), low = -high;
  // All zero, or nothing to see: any scale does. A range below the smallest normal number has no
  // width.
  if (high < std::numeric_limits<double>::min()) low = 0, high = 1;
  return {low, high};
}

Panel pooled(const Panel& panel, std::int64_t side) {
  Panel coarse{
      .title = panel.title, .rows = blocks(panel.rows, side), .cols = blocks(panel.cols, side)};
  coarse.values.assign(static_cast<std::size_t>(coarse.rows * coarse.cols),
                       std::numeric_limits<double>::quiet_NaN());
  for (std::int64_t row = 0; row < panel.rows; ++row)
    for (std::int64_t col = 0; col < panel.cols; ++col) {
      const double value = panel.values[row * panel.cols + col];
      double& largest = coarse.values[row / side * coarse.cols + col / side];
      if (std::isnan(largest) || std::abs(value) > std::abs(largest)) largest = value;
    }
  return coarse;
}

std::int64_t pool_side(const HeatMap& map, const PoolLimit& limit) {
  const Extent extent = extent_of(map.panels);
  const auto too_many = [&](std::int64_t side) {
    std::int64_t cells = 0;
    for (const Panel& p : map.panels) cells += blocks(p.rows, side) * blocks(p.cols, side);
    return cells > limit.max_cells && cells > static_cast<std::int64_t>(map.panels.size());
  };
  std::int64_t side =
      std::max({std::int64_t{1}, blocks(extent.rows, std::max<std::int64_t>(1, limit.max_rows)),
                blocks(extent.cols, std::max<std::int64_t>(1, limit.max_cols))});
  while (too_many(side)) ++side;
  return side;
}

Extent extent_of(const std::vector<Panel>& panels) {
  Extent extent;
  for (const Panel& p : panels) {
    extent.rows = std::max(extent.rows, p.rows);
    extent.cols = std::max(extent.cols, p.cols);
  }
  return extent;
}

bool any_hidden(const Panel& panel) {
  return std::ranges::any_of(panel.values, [](double value) { return std::isnan(value); });
}

std::string pool_note(std::int64_t side) {
  return fmt::format("one cell = the largest of {} x {}", side, side);
}

std::string label_note(std::int64_t row_step, std::int64_t col_step) {
  const auto part = [](std::int64_t step, const char* what) {
    return step == 1 ? std::string()
                     : fmt::format("every {}{} {} (1, {}, {}, ..)", step, step == 2 ? "nd" : "th",
                                   what, 1 + step, 1 + 2 * step);
  };
  const std::string rows = part(row_step, "row"), cols = part(col_step, "column");
  if (rows.empty() && cols.empty()) return {};
  return "named: " + rows + (rows.empty() || cols.empty() ? "" : " and ") + cols;
}

bool are_names(const std::vector<std::string>& labels) {
  return std::ranges::any_of(labels, [](const std::string& label) {
    return label.find_first_not_of("0123456789") != std::string::npos;
  });
}

std::string label_of(const std::vector<std::string>& labels, std::int64_t i) {
  return labels.empty() ? std::to_string(i) : labels[static_cast<std::size_t>(i)];
}

}  // namespace regard
