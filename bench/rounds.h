#pragma once

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace regard::bench {

/// Seconds one call of f takes, over enough calls to fill `least` seconds.
template <class F>
double seconds(const F& f, double least) {
  using Clock = std::chrono::steady_clock;
  f();  // warms caches and wakes threads
  const auto start = Clock::now();
  for (int calls = 1;; ++calls) {
    f();
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    if (spent >= least) return spent / calls;
  }
}

inline double median(std::vector<double> x) {
  std::ranges::sort(x);
  return x[x.size() / 2];
}

struct Times {
  double ours, theirs;  ///< seconds per call, medians
  double ratio;         ///< theirs / ours, the median over pairs of neighbours in time
};

/// Two programs in turns, ABBA, so that a machine that slows down or speeds up does so for both.
/// Between them a pause: an OpenMP thread spins on for some milliseconds and would take a core from
/// the other.
template <class Ours, class Theirs>
Times take_turns(const Ours& ours, const Theirs& theirs, int rounds, double least) {
  std::vector<double> a, b, ratios;
  const auto rest = [] { std::this_thread::sleep_for(std::chrono::milliseconds(15)); };
  for (int round = 0; round < rounds; ++round) {
    const bool first = round % 2 == 0;
    if (first) a.push_back(seconds(ours, least));
    b.push_back(seconds(theirs, least));
    rest();
    if (!first) a.push_back(seconds(ours, least));
    ratios.push_back(b.back() / a.back());
  }
  return {median(a), median(b), median(ratios)};
}

}  // namespace regard::bench
