#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/series/time_stamp.h"

namespace regard {

/// From one row to the next: so many seconds (of plain numbers: units), or so many months to the
/// same day, or from the last day of a month to that of another.
struct TimeStep {
  enum class Unit { moment, month, month_end };
  Unit unit = Unit::moment;
  Index count = 0;

  bool operator==(const TimeStep&) const = default;
};

/// A time column whose step is constant: what stands in any row, also after the last one.
struct TimeAxis {
  TimeStamp first;
  TimeStep step;

  /// Nothing where there is none that could be written, as 30 February and the year 10,000.
  std::optional<Index> moment(Index row) const;
  std::string text(Index row) const;  ///< REQUIRES that there is one
  std::string step_text() const;      ///< "1 hour", "3 months", "5"
  /// Which of the first `rows` rows a stamp stands in; nothing if in none.
  std::optional<Index> row_of(const TimeStamp& stamp, Index rows) const;

  bool operator==(const TimeAxis&) const = default;
};

/// Steps after which a series of that kind tends to come again: those of a day if they divide it,
/// 7 of a day, 52 of a week, those of a year of months; else, and where a context is shorter than
/// that, 1.
Index seasonal_period(const TimeAxis& axis, Index context);

/// Finds the axis of a time column, stamp by stamp.
class TimeAxisFinder {
 public:
  /// What is wrong with the stamp of the next row, and what to do; empty: nothing.
  std::string add(const TimeStamp& stamp);

  /// REQUIRES two rows or more
  TimeAxis axis() const;
  Index rows() const { return rows_; }

 private:
  void find_steps(const TimeStamp& second);
  std::string complaint(const TimeStamp& stamp) const;

  TimeStamp first_, last_;
  std::vector<TimeAxis> fitting_;  // what all rows so far agree with, the likeliest first
  Index rows_ = 0;
};

}  // namespace regard
