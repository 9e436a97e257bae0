#include "regard/base/log.h"

#include <cstdio>
#include <mutex>
#include <utility>

namespace regard {
namespace {

std::mutex mutex;

void to_standard_error(LogLevel level, std::string_view line) {
  if (level != LogLevel::warning) return;
  std::fprintf(stderr, "regard: warning: %.*s\n", static_cast<int>(line.size()), line.data());
}

LogSink& sink() {
  static LogSink current = to_standard_error;
  return current;
}

}  // namespace

void set_log_sink(LogSink new_sink) {
  const std::lock_guard lock(mutex);
  sink() = std::move(new_sink);
}

void log_line(LogLevel level, std::string_view line) {
  const std::lock_guard lock(mutex);
  sink()(level, line);
}

}  // namespace regard
