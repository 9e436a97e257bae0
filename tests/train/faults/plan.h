#pragma once

#include <cstddef>

namespace regard::testing {

/// What is to go wrong at which of the calls that are counted, from 1. Lies in memory shared with
/// the process that is watched.
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
  char only[96] = {};     ///< the calls that count, with spaces between; none: all that change or
                          ///< open a file
  std::size_t large = 0;  ///< malloc counts from so many bytes on
  long jump = 0;          ///< seconds by which the calendar clock goes forth and back
  int journal = -1;       ///< descriptor for a line per call that went well; -1: none

  int calls = 0;       ///< so far
  char hit[16] = {};   ///< the call that `at` fell on
  long completed = 0;  ///< last step whose save returned
  int failures = 0;    ///< saves that threw Error(io)
};

constexpr int kCrashed = 137;

/// Names the file that holds the plan of a program; without it nothing goes wrong.
constexpr const char* kPlanVariable = "REGARD_FAULT_PLAN";
/// A program with a plan that takes longer is ended by SIGALRM: it hangs.
constexpr unsigned kPatienceSeconds = 60;

}  // namespace regard::testing
