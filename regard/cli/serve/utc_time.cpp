#include "regard/cli/serve/utc_time.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

namespace regard {

std::string utc_time() {
  using namespace std::chrono;
  const auto now = time_point_cast<milliseconds>(system_clock::now());
  const std::time_t seconds = system_clock::to_time_t(now);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                     now.time_since_epoch().count() % 1000);
}

}  // namespace regard
