#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regard/viewer/colour.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// Throws Error(usage) naming the panel if its values or labels do not fit its shape.
void check_panels(const HeatMap& map);

/// The scale of all panels: the map's range or the one its finite values ask for.
ColourScale scale_of(const HeatMap& map);

/// The panel with each square of side x side cells as one, of the value of largest size; hidden
/// where all of them are. Labels are dropped.
Panel pooled(const Panel& panel, std::int64_t side);

/// The smallest side of squares such that all panels together have at most `max_cells` cells, and
/// none more than `max_rows` rows or `max_cols` columns.
struct PoolLimit {
  std::int64_t max_cells, max_rows, max_cols;
};
std::int64_t pool_side(const HeatMap& map, const PoolLimit& limit);

/// The largest of the panels' rows and columns, each at least 1.
struct Extent {
  std::int64_t rows = 1, cols = 1;
};
Extent extent_of(const std::vector<Panel>& panels);

bool any_hidden(const Panel& panel);

/// The caption of a pooled picture: "one cell = the largest of 4 x 4".
std::string pool_note(std::int64_t side);

/// What says which names stand at the rows and columns where not all do: "named: every 5th row (1,
/// 6, 11, ..)"; empty if every one is.
std::string label_note(std::int64_t row_step, std::int64_t col_step);

/// Are these names to be read, and not only numbers to count by?
bool are_names(const std::vector<std::string>& labels);

/// The label of a row or column, or its number where it has none.
std::string label_of(const std::vector<std::string>& labels, std::int64_t i);

}  // namespace regard
