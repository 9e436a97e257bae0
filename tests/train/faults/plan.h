#pragma once

namespace regard::testing {

/// What is to go wrong at which of the calls that change or open a file, counted from 1. Lies in
/// memory shared with the process that is watched.
struct FaultPlan {
  enum class Kind {
    none,
    crash,    ///< the process ends before the call
    torn,     ///< a write does half of its work, then the process ends
    once,     ///< this call fails with `error`, the next ones work
    forever,  ///< this call and all after it fail with `error`
    shorter,  ///< a write does half of its work and says so
  };
  Kind kind = Kind::none;
  int at = 0;
  int error = 0;
  int journal = -1;  ///< descriptor for a line per call that went well; -1: none

  int calls = 0;       ///< so far
  char hit[16] = {};   ///< the call that `at` fell on
  long completed = 0;  ///< last step whose save returned
  int failures = 0;    ///< saves that threw Error(io)
};

constexpr int kCrashed = 137;

}  // namespace regard::testing
