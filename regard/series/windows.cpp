#include "regard/series/windows.h"

#include <algorithm>

#include "regard/base/check.h"

namespace regard {

Windows::Windows(const StandardSeries& series, RowRange part, WindowSize size,
                 std::string_view name)
    : series_(&series),
      size_(size),
      first_(std::max(part.begin, size.context)),
      last_(part.end - size.horizon) {
  check(size.context >= 1 && size.horizon >= 1, "windows of context ", size.context,
        " and horizon ", size.horizon, "; both must be at least 1");
  check(0 <= part.begin && part.begin <= part.end && part.end <= series.rows(), "rows ", part.begin,
        " to ", part.end, " of a table of ", series.rows());
  if (part.size() < size.horizon)
    fail(Blame(Fault::input).at(series.path()), series.path(), ": the ", name, " part has ",
         part.size(), " rows, fewer than the horizon of ", size.horizon,
         "; choose a shorter horizon or give that part more rows");
  if (first_ > last_)
    fail(Blame(Fault::input).at(series.path()), series.path(), ": the ", name, " part ends after ",
         part.end, " rows, fewer than the context of ", size.context, " and the horizon of ",
         size.horizon, " together; choose shorter ones or give that part more rows");
}

std::span<const float> Windows::past(Index i) const {
  const Example at = example(i);
  return series_->series(at.series).subspan(static_cast<std::size_t>(at.row - size_.context),
                                            static_cast<std::size_t>(size_.context));
}

std::span<const float> Windows::future(Index i) const {
  const Example at = example(i);
  return series_->series(at.series).subspan(static_cast<std::size_t>(at.row),
                                            static_cast<std::size_t>(size_.horizon));
}

}  // namespace regard
