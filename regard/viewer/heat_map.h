#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "regard/viewer/terminal.h"

namespace regard {

/// One matrix in a picture: queries down, keys across.
struct Panel {
  std::string title = {};
  std::int64_t rows = 0, cols = 0;
  std::vector<double> values = {};           ///< [rows, cols]; NaN: hidden, drawn hatched
  std::vector<std::string> row_labels = {};  ///< one a row, or none: rows are numbered from 0
  std::vector<std::string> col_labels = {};  ///< one a column, or none
  std::string name = {};                     ///< in tables; none: its title, or the map's
};

/// A picture of one or more matrices on one colour scale, darker is more.
struct HeatMap {
  std::string title = {}, subtitle = {};
  std::vector<Panel> panels = {};            ///< placed row by row
  std::int64_t panels_across = 0;            ///< 0: chosen
  std::string row_axis = {}, col_axis = {};  ///< what rows and columns are: "query", "key"
  /// None: 0 to the largest value, or symmetric about 0 if any is negative.
  std::optional<std::pair<double, double>> range = {};
  bool show_values = true;  ///< numbers in cells where they fit
};

// Every text may hold any bytes: it is escaped, shortened and made visible as need be. A matrix of
// more cells than the picture can carry is pooled: one cell shows the value of largest size of a
// square of cells, and the picture says so; it also says which names were left out where not all
// fit. Same map, same bytes. All throw Error(usage) where
// values or labels do not fit rows and cols, or the range is not one.

/// An SVG document; small maps tell the value under the pointer.
std::string svg(const HeatMap& map);

/// The bytes of a PNG file, two pixels a unit of the SVG.
std::string png(const HeatMap& map);

/// The bytes of a PDF file of one page, which text can be copied from.
std::string pdf(const HeatMap& map);

/// A table of all cells, a line each, pooled in no case: panel,row,column,row_label,column_label,
/// value. Rows and columns count from 0, values have all their digits, and that of a hidden cell is
/// empty.
std::string csv(const HeatMap& map);

/// Lines of text, each at most terminal.width columns, ending in a line feed.
std::string terminal(const HeatMap& map, const Terminal& terminal);

}  // namespace regard
