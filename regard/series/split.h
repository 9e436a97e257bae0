#pragma once

#include <string_view>

#include "regard/series/table.h"

namespace regard {

/// Rows begin, begin + 1, ..., end - 1 of a table.
struct RowRange {
  Index begin = 0, end = 0;

  Index size() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

/// The rows to train on, to choose by and to judge by; each part begins where the one before ends.
/// Rows after the last part are not used.
struct RowSplit {
  RowRange train, valid, test;

  bool operator==(const RowSplit&) const = default;
};

/// Cuts a table as the text says: rows of each part ("8640,2880,2880"), shares of all rows
/// ("0.7,0.1,0.2"), or empty for the usual: 12, 4 and 4 months of 30 days, where the step is a day
/// or less and there are that many but not half as many again (the split that results on ETT are
/// given for), else shares of 0.7, 0.1 and 0.2. Shares of train and test are rounded down; if all
/// make 1, valid has the rest. Throws Error(usage) if the text is neither, Error(input) if the
/// table has too few rows.
RowSplit split_rows(const SeriesTable& table, std::string_view text);

}  // namespace regard
