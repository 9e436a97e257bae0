#pragma once

#include <functional>
#include <thread>

namespace regard {

/// While one lives, HUP, INT and TERM wait for the thread that watches them: HUP loads the models
/// again, the first INT or TERM stops, the second stops at once. Make it before any other thread.
class ServeSignals {
 public:
  struct Actions {
    std::function<void()> reload, stop, stop_now;
  };

  ServeSignals();
  ~ServeSignals();
  ServeSignals(const ServeSignals&) = delete;
  ServeSignals& operator=(const ServeSignals&) = delete;

  /// A thread that does them, until it is asked to stop.
  std::jthread watch(Actions actions);
};

}  // namespace regard
