#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "regard/base/real.h"

namespace regard {

/// How time stamps are written: a whole number, YYYY-MM-DD, or that with HH:MM or HH:MM:SS.
struct TimeForm {
  enum class Kind { number, date, minutes, seconds };
  Kind kind = Kind::number;
  char between = ' ';  ///< between date and time: a space or T

  bool operator==(const TimeForm&) const = default;
};

/// A moment as it was written.
struct TimeStamp {
  TimeForm form;
  Index moment = 0;  ///< seconds since 1970 began; of the form `number` that number

  bool operator==(const TimeStamp&) const = default;
};

inline constexpr Index kSecondsOfDay = Index{24} * 60 * 60;

/// What a time stamp looks like, for messages.
inline constexpr std::string_view kTimeForms =
    "a time stamp as 2016-07-01, 2016-07-01 13:00 or 2016-07-01T13:00:00, or a whole number";

/// Nothing if the text is none, or none that the calendar has.
std::optional<TimeStamp> parse_time_stamp(std::string_view text);

/// Whether the form can write the moment: dates end with the year 9999, numbers at 4e18.
bool can_write(const TimeForm& form, Index moment);

/// The same text that was parsed.   REQUIRES can_write
std::string text_of(const TimeStamp& stamp);

}  // namespace regard
