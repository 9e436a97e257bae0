#pragma once

#include <dlfcn.h>

#include "tests/train/faults/plan.h"

namespace regard::testing {

/// What becomes of one call.
enum class Turn {
  passes,
  fails,   ///< errno is set
  halved,  ///< as much of the work as half of it
};

/// The plan in force; none: nothing goes wrong and nothing is counted.
extern FaultPlan* plan;

/// Counts a call; ends the process where the plan says so.
Turn next_turn(const char* name);

inline bool fails(const char* name) {
  return next_turn(name) == Turn::fails;
}

[[noreturn]] void crash();

/// The function that a call would have reached.
template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace regard::testing
