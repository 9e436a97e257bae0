#pragma once

#include <string>
#include <vector>

#include "regard/batch/lines.h"
#include "regard/series/time_axis.h"

namespace regard {

/// Series side by side: a value of each at every moment of one time column.
struct SeriesTable {
  std::string path;  ///< where it was read from, for messages
  std::string time_name;
  TimeAxis time;
  std::vector<std::string> names;            ///< of the series
  std::vector<std::vector<double>> columns;  ///< one per series, all of the same length

  Index rows() const { return columns.empty() ? 0 : static_cast<Index>(columns.front().size()); }
  Index series() const { return static_cast<Index>(columns.size()); }
};

/// The most numbers of a table: 1 GiB of them.
inline constexpr Index kMaxTableValues = Index{1} << 27;

/// Reads CSV, plain or gzip: a line of names, the first for the time column, then a line per moment
/// with a time stamp and a number per series. Empty lines at the end are no rows. Throws
/// Error(input) with the line, and the column where there is one, for everything else: a gap in
/// time, a missing or infinite number, a name that stands twice, more numbers than allowed.
SeriesTable read_series(Lines& lines, Index max_values = kMaxTableValues);
SeriesTable read_series(const std::string& path);

/// Throws Error(input) if the time column cannot be continued to have so many rows.
void check_times(const SeriesTable& table, Index rows);

}  // namespace regard
