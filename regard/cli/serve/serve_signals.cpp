#include "regard/cli/serve/serve_signals.h"

#include <csignal>
#include <ctime>

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
  end();
  const sigset_t signals = our_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void ServeSignals::watch(Actions actions) {
  actions_ = std::move(actions);
  thread_ = std::thread([this] { run(); });
}

void ServeSignals::end() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
  if (reloading_.joinable()) reloading_.join();
}

void ServeSignals::run() {
  const sigset_t signals = our_signals();
  constexpr timespec kLook{.tv_sec = 0, .tv_nsec = 50'000'000};  // between looks at over_
  bool stopping = false, asked = false;
  std::atomic<bool> busy{false};
  while (!over_) {
    const int signal = sigtimedwait(&signals, nullptr, &kLook);
    asked |= signal == SIGHUP;  // also during a load: what it reads may be older
    if (asked && !stopping && !busy) {
      asked = false;
      if (reloading_.joinable()) reloading_.join();
      busy = true;
      // Loading takes long; a TERM must not wait for it.
      reloading_ = std::thread([this, &busy] {
        actions_.reload();
        busy = false;
      });
    }
    if (signal == SIGINT || signal == SIGTERM) {
      (stopping ? actions_.stop_now : actions_.stop)();
      stopping = true;
    }
  }
  if (reloading_.joinable()) reloading_.join();  // it looks at what this function owns
}

}  // namespace regard
