#include "regard/series/time_axis.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

using namespace std::chrono;
using Unit = TimeStep::Unit;

/// A moment in the calendar.
struct CalendarPlace {
  Index month;  ///< since the year 0 began
  day in_month;
  Index second;  ///< of the day

  static CalendarPlace of(Index moment) {
    const Index second = (moment % kSecondsOfDay + kSecondsOfDay) % kSecondsOfDay;
    const year_month_day date{sys_days(days((moment - second) / kSecondsOfDay))};
    const Index month = static_cast<int>(date.year()) * Index{12} +
                        static_cast<Index>(static_cast<unsigned>(date.month())) - 1;
    return {month, date.day(), second};
  }
};

/// REQUIRES 0 <= month < 120,000
year_month year_month_of(Index month) {
  return year(static_cast<int>(month / 12)) / static_cast<int>(month % 12 + 1);
}

day last_day(Index month) {
  return (year_month_of(month) / last).day();
}

std::string counted(Index count, std::string_view unit) {
  return fmt::format("{} {}{}", count, unit, count == 1 ? "" : "s");
}

std::optional<Index> moment_after_months(const TimeAxis& axis, Index months) {
  constexpr Index kMonths = Index{12} * 10000;
  CalendarPlace place = CalendarPlace::of(axis.first.moment);
  if (__builtin_add_overflow(place.month, months, &place.month)) return {};
  if (place.month < 0 || place.month >= kMonths) return {};
  if (axis.step.unit == Unit::month_end) place.in_month = last_day(place.month);
  const year_month_day date = year_month_of(place.month) / place.in_month;
  if (!date.ok()) return {};
  return sys_days(date).time_since_epoch().count() * kSecondsOfDay + place.second;
}

}  // namespace

std::optional<Index> TimeAxis::moment(Index row) const {
  Index way = 0, moment = 0;
  if (__builtin_mul_overflow(row, step.count, &way)) return {};
  if (step.unit != Unit::moment) return moment_after_months(*this, way);
  if (__builtin_add_overflow(first.moment, way, &moment)) return {};
  if (!can_write(first.form, moment)) return {};
  return moment;
}

std::string TimeAxis::text(Index row) const {
  const std::optional<Index> moment = this->moment(row);
  check(moment.has_value(), "row ", row, " from ", text_of(first), " in steps of ", step_text(),
        " leaves the calendar");
  return text_of({first.form, *moment});
}

std::string TimeAxis::step_text() const {
  if (step.unit != Unit::moment) return counted(step.count, "month");
  if (first.form.kind == TimeForm::Kind::number) return std::to_string(step.count);
  for (const auto& [seconds, unit] :
       {std::pair{kSecondsOfDay, "day"}, std::pair{Index{3600}, "hour"},
        std::pair{Index{60}, "minute"}})
    if (step.count % seconds == 0) return counted(step.count / seconds, unit);
  return counted(step.count, "second");
}

std::optional<Index> TimeAxis::row_of(const TimeStamp& stamp, Index rows) const {
  if (stamp.form.kind != first.form.kind) return {};
  for (Index row = 0; row < rows; ++row)
    if (moment(row) == stamp.moment) return row;
  return {};
}

Index seasonal_period(const TimeAxis& axis, Index context) {
  constexpr Index kDaysOfWeek = 7, kWeeksOfYear = 52, kMonthsOfYear = 12;
  const Index count = axis.step.count;
  const auto steps_of = [&](Index whole) { return whole % count == 0 ? whole / count : 1; };
  Index period = 1;
  if (axis.step.unit != Unit::moment)
    period = steps_of(kMonthsOfYear);
  else if (axis.first.form.kind != TimeForm::Kind::number)
    period = count == kSecondsOfDay                 ? kDaysOfWeek
             : count == kDaysOfWeek * kSecondsOfDay ? kWeeksOfYear
                                                    : steps_of(kSecondsOfDay);
  return period <= context ? period : 1;
}

std::string TimeAxisFinder::add(const TimeStamp& stamp) {
  if (rows_ == 0) first_ = stamp;
  if (stamp.form != first_.form)
    return "time stamp '" + text_of(stamp) + "' is not written as that of the first row, '" +
           text_of(first_) + "'; write all in one form";
  if (rows_ > 0 && stamp.moment <= last_.moment) return complaint(stamp);
  if (rows_ == 1) find_steps(stamp);
  std::vector<TimeAxis> fitting;
  for (const TimeAxis& axis : fitting_)
    if (axis.moment(rows_) == stamp.moment) fitting.push_back(axis);
  if (rows_ > 0 && fitting.empty()) return complaint(stamp);
  fitting_ = std::move(fitting);
  last_ = stamp;
  ++rows_;
  return {};
}

/// Months come first: a few rows may lie as many days apart as months have.
void TimeAxisFinder::find_steps(const TimeStamp& second) {
  if (first_.form.kind != TimeForm::Kind::number) {
    const CalendarPlace from = CalendarPlace::of(first_.moment);
    const Index months = CalendarPlace::of(second.moment).month - from.month;
    if (months > 0 && from.in_month == last_day(from.month))
      fitting_.push_back({first_, {Unit::month_end, months}});
    if (months > 0) fitting_.push_back({first_, {Unit::month, months}});
  }
  fitting_.push_back({first_, {Unit::moment, second.moment - first_.moment}});
}

std::string TimeAxisFinder::complaint(const TimeStamp& stamp) const {
  const std::string found = text_of(stamp), before = text_of(last_);
  const bool clock = stamp.form.kind > TimeForm::Kind::date;
  const std::string_view in_utc = clock ? "; where clocks were put back, write times in UTC" : "";
  if (stamp.moment == last_.moment)
    return fmt::format("time stamp '{}' stands in the row above, too; keep one of the two{}", found,
                       in_utc);
  if (stamp.moment < last_.moment)
    return fmt::format("time stamp '{}' is before '{}' of the row above; sort the rows by time{}",
                       found, before, in_utc);
  const TimeAxis& axis = fitting_.front();
  const std::optional<Index> next = axis.moment(rows_);
  const std::string expected = next ? " '" + text_of({stamp.form, *next}) + "'" : "";
  constexpr Index kHour = 3600;
  const bool forward = clock && next && stamp.moment - *next == kHour;
  if (next && stamp.moment > *next)
    return fmt::format(
        "a gap: expected{} one step ({}) after '{}', found '{}'; add the missing rows, filled in, "
        "or "
        "keep only the part before or after{}",
        expected, axis.step_text(), before, found,
        forward ? "; where clocks were put forward, write times in UTC" : "");
  return fmt::format(
      "expected{} one step after '{}', found '{}'; all rows must be one step apart, as the first "
      "two "
      "are ({})",
      expected, before, found, axis.step_text());
}

TimeAxis TimeAxisFinder::axis() const {
  check(rows_ >= 2, "a time step needs two rows, not ", rows_);
  return fitting_.front();
}

}  // namespace regard
