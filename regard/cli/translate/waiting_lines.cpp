#include "regard/cli/translate/waiting_lines.h"

#include <poll.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/batch/lines.h"
#include "regard/cli/stop_signal.h"

namespace regard {
namespace {

/// Whether a read would not wait; what cannot be asked is read at once, and says so itself.
bool is_ready(int file, int milliseconds) {
  pollfd ask{.fd = file, .events = POLLIN, .revents = 0};
  return ::poll(&ask, 1, milliseconds) != 0 && ask.revents != 0;
}

}  // namespace

void each_block(const std::string& path, std::size_t most,
                const std::function<void(std::span<const std::string> block)>& take) {
  constexpr int kLook = 100;                   // milliseconds between looks at the signal
  constexpr std::size_t kManyBytes = 1 << 20;  // long lines fill a block too
  std::vector<std::string> block;
  std::size_t bytes = 0;
  const auto hand_over = [&] {
    const std::vector<std::string> full = std::exchange(block, {});
    bytes = 0;
    if (!full.empty() && StopSignal::caught() == 0) take(full);
  };
  const auto read = [&](int file, void* to, std::size_t size) -> ssize_t {
    if (!is_ready(file, 0)) hand_over();
    while (StopSignal::caught() == 0 && !is_ready(file, kLook)) {
    }
    return StopSignal::caught() != 0 ? 0 : ::read(file, to, size);
  };
  Lines lines(path, kLongestLine, read, Reading::any_text);
  try {
    while (const auto line = lines.next()) {
      if (StopSignal::caught() != 0) return;
      if (line->too_long)
        warn(path == "-" ? "standard input" : path, ":", line->number, ": more than ", kLongestLine,
             " bytes in a line; it counts as empty");
      bytes += block.emplace_back(line->text).size();
      if (block.size() == most || bytes >= kManyBytes) hand_over();
    }
  } catch (const Error&) {
    hand_over();  // what was read before the fault; nothing if it is a fault of `take`
    if (StopSignal::caught() == 0) throw;  // a packed file that a signal cut short is no fault
  }
  hand_over();
}

}  // namespace regard
