#pragma once

#include <functional>
#include <sstream>
#include <string_view>

namespace regard {

enum class LogLevel { debug, info, warning };

/// Where log lines go. The library's default writes warnings to standard error; only the program,
/// the server and tests set another. Standard output belongs to results.
using LogSink = std::function<void(LogLevel, std::string_view line)>;
void set_log_sink(LogSink sink);

void log_line(LogLevel level, std::string_view line);

template <class... Parts>
void log_warning(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  log_line(LogLevel::warning, text.str());
}

}  // namespace regard
