#include "regard/series/time_stamp.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include "regard/base/check.h"

namespace regard {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

// One step more than the largest number still fits, so that sums need not be watched twice.
constexpr Index kLargestNumber = 4'000'000'000'000'000'000;

constexpr Index days_before(int year) {
  return sys_days(std::chrono::year(year) / 1 / 1).time_since_epoch().count();
}

/// Exactly `size` digits at a place of a text; nothing if there is anything else.
std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t size) {
  if (text.size() < at + size) return {};
  int number = 0;
  for (const char c : text.substr(at, size)) {
    if (c < '0' || c > '9') return {};
    number = number * 10 + (c - '0');
  }
  return number;
}

std::optional<Index> parse_date(std::string_view text) {
  const auto year = digits_at(text, 0, 4), month = digits_at(text, 5, 2),
             day = digits_at(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return {};
  const auto date = std::chrono::year(*year) / *month / *day;
  if (!date.ok()) return {};
  return sys_days(date).time_since_epoch().count() * kSecondsOfDay;
}

/// The seconds of "13:00" or "13:00:59".
std::optional<Index> parse_time_of_day(std::string_view text) {
  const auto hour = digits_at(text, 0, 2), minute = digits_at(text, 3, 2);
  const bool seconds = text.size() == 8;
  const auto second = seconds ? digits_at(text, 6, 2) : 0;
  if (!hour || !minute || !second || (text.size() != 5 && !seconds)) return {};
  if (text[2] != ':' || (seconds && text[5] != ':')) return {};
  if (*hour > 23 || *minute > 59 || *second > 59) return {};
  return (*hour * 60 + *minute) * 60 + *second;
}

std::optional<TimeStamp> parse_whole_stamp(std::string_view text) {
  Index number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error != std::errc() || !can_write({}, number)) return {};
  return TimeStamp{{}, number};
}

}  // namespace

std::optional<TimeStamp> parse_time_stamp(std::string_view text) {
  constexpr std::size_t kDate = 10;  // characters
  const std::optional<Index> date = parse_date(text.substr(0, kDate));
  if (!date) return parse_whole_stamp(text);
  if (text.size() == kDate) return TimeStamp{{TimeForm::Kind::date}, *date};
  const char between = text[kDate];
  const std::optional<Index> time = parse_time_of_day(text.substr(kDate + 1));
  if (!time || (between != ' ' && between != 'T')) return {};
  const bool minutes = text.size() == kDate + 1 + 5;
  return TimeStamp{{minutes ? TimeForm::Kind::minutes : TimeForm::Kind::seconds, between},
                   *date + *time};
}

bool can_write(const TimeForm& form, Index moment) {
  if (form.kind == TimeForm::Kind::number)
    return -kLargestNumber <= moment && moment <= kLargestNumber;
  return days_before(0) * kSecondsOfDay <= moment && moment < days_before(10000) * kSecondsOfDay;
}

std::string text_of(const TimeStamp& stamp) {
  check(can_write(stamp.form, stamp.moment), "a time stamp out of range: ", stamp.moment);
  if (stamp.form.kind == TimeForm::Kind::number) return std::to_string(stamp.moment);
  const Index second = (stamp.moment % kSecondsOfDay + kSecondsOfDay) % kSecondsOfDay;
  const std::chrono::days days((stamp.moment - second) / kSecondsOfDay);
  const year_month_day date{sys_days(days)};
  std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (stamp.form.kind == TimeForm::Kind::date) return text;
  text += fmt::format("{}{:02}:{:02}", stamp.form.between, second / 3600, second / 60 % 60);
  if (stamp.form.kind == TimeForm::Kind::seconds) text += fmt::format(":{:02}", second % 60);
  return text;
}

}  // namespace regard
