#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/series/time_axis.h"

namespace regard {

/// A column of numbers with its name.
struct NamedColumn {
  std::string name;
  std::vector<double> values;
};

/// What the column of a quantile of a series is called: "load_q0.9".
std::string quantile_name(std::string_view series, double level);

/// Rows as CSV that read_series reads: a line of names, then one per row with the time stamp of
/// `first_row` on, written as those of the axis, and the shortest numbers that give the same f64.
/// Throws Error(input) where the calendar ends.   REQUIRES columns of one length
std::string rows_csv(std::string_view time_name, const TimeAxis& time, Index first_row,
                     std::span<const NamedColumn> columns);

}  // namespace regard
