#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "regard/base/rng.h"
#include "regard/series/windows.h"
#include "tests/batch/batch_testing.h"

namespace regard::testing {

/// What stands in a file "-" in place of standard input, at most `piece` bytes at a time.
inline ReadCall bytes_of(std::string_view text, std::size_t piece = 1 << 16) {
  return [text, piece](int, void* to, std::size_t size) mutable {
    const std::size_t count = std::min({piece, size, text.size()});
    if (count > 0) std::memcpy(to, text.data(), count);
    text.remove_prefix(count);
    return static_cast<ssize_t>(count);
  };
}

inline SeriesTable table_of(std::string_view text, std::size_t piece = 1 << 16) {
  Lines lines("-", Lines::kMaxBytes, bytes_of(text, piece));
  return read_series(lines);
}

/// A table that starts at that time, in steps of so many seconds.
inline SeriesTable table_from(std::string_view start, Index seconds,
                              std::vector<std::vector<double>> columns) {
  SeriesTable table{.path = "t.csv", .time_name = "date", .time = {}, .names = {}, .columns = {}};
  table.time = {*parse_time_stamp(start), {TimeStep::Unit::moment, seconds}};
  table.columns = std::move(columns);
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    table.names.push_back("s" + std::to_string(i));
  return table;
}

/// Series that wander: sums of random steps.
inline std::vector<std::vector<double>> wandering(const Rng& rng, Index series, Index rows) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(series));
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (Index row = 0; row < rows; ++row) {
      const double before = columns[i].empty() ? 0 : columns[i].back();
      columns[i].push_back(0.9 * before + rng.fork(i).normal(static_cast<std::uint64_t>(row)));
    }
  return columns;
}

}  // namespace regard::testing
