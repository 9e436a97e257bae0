#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace regard {

/// While one lives, HUP, INT and TERM come to a thread of its own: HUP loads the models again, the
/// first INT or TERM stops, the second stops at once. Make it before any other thread.
class ServeSignals {
 public:
  struct Actions {
    std::function<void()> reload, stop, stop_now;
  };

  ServeSignals();
  ~ServeSignals();
  ServeSignals(const ServeSignals&) = delete;
  ServeSignals& operator=(const ServeSignals&) = delete;

  void watch(Actions actions);
  void end();  ///< no action is called any more

 private:
  void run();

  Actions actions_;
  std::atomic<bool> over_{false};
  std::thread thread_, reloading_;
};

}  // namespace regard
