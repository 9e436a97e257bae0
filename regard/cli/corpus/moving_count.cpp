#include "regard/cli/corpus/moving_count.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "regard/viewer/terminal.h"

namespace regard {

MovingCount::MovingCount(const Settings& settings, Index total, std::string what)
    : moves_(!settings.quiet && isatty(STDERR_FILENO) != 0 &&
             terminal_of(STDERR_FILENO).colour != TerminalColour::none),
      total_(total),
      what_(std::move(what)),
      drawn_at_(std::chrono::steady_clock::now()) {}

void MovingCount::at(Index done) {
  constexpr auto kPause = std::chrono::milliseconds(200);
  const auto now = std::chrono::steady_clock::now();
  if (!moves_ || now - drawn_at_ < kPause) return;
  drawn_at_ = now;
  drawn_ = true;
  // Not fmt::print, which throws if the terminal has gone.
  std::fputs(fmt::format("\r{}/{} {}", done, total_, what_).c_str(), stderr);
  std::fflush(stderr);
}

MovingCount::~MovingCount() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

}  // namespace regard
