#pragma once

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "regard/config/json.h"

namespace regard::bench {

using Json = nlohmann::ordered_json;

/// A line of /proc/self/status in MiB: VmRSS is what this process holds, VmHWM the most it held.
/// Not getrusage: that also counts what the parent held before it started this program.
inline double status_mib(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (double kib = 0; word == key + ":" && file >> kib) return kib / 1024;
  return 0;
}
inline double resident_mib() {
  return status_mib("VmRSS");
}
inline double peak_mib() {
  return status_mib("VmHWM");
}

/// Seconds that one call of f takes.
template <class F>
double seconds_of(const F& f) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  f();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A worker in a race: it makes ready once, then each line of standard input is a task and gets a
/// line of answer, both JSON, so that a driver (race.py) can let two of them work in turns.
template <class Answer>
void answer_tasks(const Answer& answer) {
  for (std::string line; std::getline(std::cin, line);) {
    const Json said = answer(parse_json(line, "task"));
    fmt::print("{}\n", said.dump());
    std::fflush(stdout);
  }
}

/// main() of a bench program: errors become a message and exit code 1.
template <class Body>
int guarded(const char* name, const Body& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 1;
  }
}

}  // namespace regard::bench
