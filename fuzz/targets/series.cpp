#include <cmath>

#include "fuzz/target.h"
#include "fuzz/text_in_memory.h"
#include "regard/series/rows_csv.h"
#include "regard/series/table.h"

namespace regard::targets {
namespace {

struct SeriesOutcome {
  bool refused = false;
  SeriesTable table{};
};

SeriesOutcome series_outcome(ReadCall bytes, Index max_values) {
  SeriesOutcome outcome;
  try {
    Lines lines("-", Lines::kMaxBytes, std::move(bytes));
    outcome.table = read_series(lines, max_values);
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
    outcome.refused = true;
  }
  return outcome;
}

bool same_series(const SeriesOutcome& a, const SeriesOutcome& b) {
  return a.refused == b.refused && a.table.time_name == b.table.time_name &&
         a.table.names == b.table.names && a.table.time == b.table.time &&
         a.table.columns == b.table.columns;
}

/// However the bytes come cut, the same table comes out; written and read again, it is the same.
void try_series(std::string_view bytes) {
  const Index max_values = bytes.size() % 2 == 0 ? kMaxTableValues : 8;
  const SeriesOutcome whole = series_outcome(reading(bytes, kAtOnce), max_values);
  law(same_series(whole, series_outcome(reading(bytes, 1), max_values)),
      "byte by byte, another table comes out");
  if (whole.refused) return;
  const SeriesTable& table = whole.table;
  law(table.rows() >= 2 && table.rows() * table.series() <= max_values, "a table of ", table.rows(),
      " rows and ", table.series(), " series");
  std::vector<NamedColumn> columns;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    columns.push_back({table.names[i], table.columns[i]});
    for (const double value : table.columns[i]) law(std::isfinite(value), "a number is not finite");
  }
  const std::string written = rows_csv(table.time_name, table.time, 0, columns);
  // A first line that begins with a byte order mark, or like a packed file, is not taken for text.
  const SeriesOutcome again = series_outcome(reading(written, kAtOnce), kMaxTableValues);
  law(again.refused || written.starts_with("\xEF\xBB\xBF") || same_series(whole, again),
      "written and read again, it is another table");
}

}  // namespace

extern const FuzzTarget series{.name = "series",
                               .about = "a table of series, CSV",
                               .max_bytes = 256,
                               .attempt = try_series,
                               .slow = true};

}  // namespace regard::targets
