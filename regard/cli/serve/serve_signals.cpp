#include "regard/cli/serve/serve_signals.h"

#include <atomic>
#include <csignal>
#include <ctime>
#include <utility>

namespace regard {
namespace {

sigset_t our_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

ServeSignals::ServeSignals() {
  const sigset_t signals = our_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a client that left is no reason to go
}

ServeSignals::~ServeSignals() {
  const sigset_t signals = our_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

std::jthread ServeSignals::watch(Actions actions) {
  return std::jthread([actions = std::move(actions)](const std::stop_token& over) {
    const sigset_t signals = our_signals();
    constexpr timespec kLook{.tv_sec = 0, .tv_nsec = 50'000'000};  // between looks at `over`
    bool stopping = false, asked = false;
    std::atomic<bool> busy{false};
    std::jthread reloading;
    while (!over.stop_requested()) {
      const int signal = sigtimedwait(&signals, nullptr, &kLook);
      asked |= signal == SIGHUP;  // also during a load: what it reads may be older
      if (asked && !stopping && !busy) {
        asked = false;
        busy = true;
        // Loading takes long; a TERM must not wait for it.
        reloading = std::jthread([&] {
          actions.reload();
          busy = false;
        });
      }
      if (signal == SIGINT || signal == SIGTERM) {
        (stopping ? actions.stop_now : actions.stop)();
        stopping = true;
      }
    }
  });
}

}  // namespace regard
