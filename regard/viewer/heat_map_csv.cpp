#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "regard/viewer/heat_map.h"
#include "regard/viewer/heat_map_cells.h"

namespace regard {
namespace {

/// A field as RFC 4180 writes it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv(const HeatMap& map) {
  check_panels(map);
  std::string text = "panel,row,column,row_label,column_label,value\n";
  for (const Panel& panel : map.panels) {
    const std::string name = field(!panel.name.empty()    ? panel.name
                                   : !panel.title.empty() ? panel.title
                                                          : map.title);
    for (std::int64_t row = 0; row < panel.rows; ++row)
      for (std::int64_t col = 0; col < panel.cols; ++col) {
        const double value = panel.values[static_cast<std::size_t>(row * panel.cols + col)];
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", name, row, col,
                       field(label_of(panel.row_labels, row)),
                       field(label_of(panel.col_labels, col)),
                       std::isnan(value) ? std::string() : fmt::format("{}", value));
      }
  }
  return text;
}

}  // namespace regard
