#include "regard/series/rows_csv.h"

#include "regard/base/check.h"
#include "regard/series/csv.h"

namespace regard {

std::string quantile_name(std::string_view series, double level) {
  return std::string(series) + "_q" + csv_number(level);
}

std::string rows_csv(std::string_view time_name, const TimeAxis& time, Index first_row,
                     std::span<const NamedColumn> columns) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().values.size();
  std::string text = csv_field(time_name);
  for (const NamedColumn& column : columns) {
    check(column.values.size() == rows, "column '", column.name, "' has ", column.values.size(),
          " rows, the first one ", rows);
    text += ',' + csv_field(column.name);
  }
  text += '\n';
  for (std::size_t row = 0; row < rows; ++row) {
    text += time.text(first_row + static_cast<Index>(row));
    for (const NamedColumn& column : columns) text += ',' + csv_number(column.values[row]);
    text += '\n';
  }
  return text;
}

}  // namespace regard
