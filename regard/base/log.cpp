#include "regard/base/log.h"

#include <cstdio>
#include <mutex>
#include <utility>

namespace regard {
namespace {

std::mutex mutex;

void to_standard_error(std::string_view line) {
  std::fprintf(stderr, "regard: warning: %.*s\n", static_cast<int>(line.size()), line.data());
}

WarningSink& sink() {
  static WarningSink current = to_standard_error;
  return current;
}

}  // namespace

void set_warning_sink(WarningSink new_sink) {
  const std::lock_guard lock(mutex);
  sink() = new_sink ? std::move(new_sink) : WarningSink(to_standard_error);
}

void warn_line(std::string_view line) {
  const std::lock_guard lock(mutex);
  sink()(line);
}

}  // namespace regard
