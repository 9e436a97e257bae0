#include "regard/cli/stop_signal.h"

#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace regard {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note(int signal) {
  if (noted != 0) _exit(128 + signal);
  noted = signal;
}

}  // namespace

StopSignal::StopSignal() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGHUP, &action, nullptr);
}

StopSignal::~StopSignal() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
}

int StopSignal::caught() {
  return noted;
}

}  // namespace regard
