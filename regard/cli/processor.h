#pragma once

namespace regard {

/// What a processor, with the system that runs it, can do, as far as the program asks.
struct ProcessorFeatures {
  bool avx2 = false, fma = false, bmi2 = false;
};

/// Why the program cannot run on such a processor, as one line for a reader; null if it can.
const char* unfit(ProcessorFeatures features);

/// Says on standard error why and ends with code 5 (device) if this processor is unfit. Has been
/// called before the first line of main, and before the initialiser of any object.
void require_fit_processor();

}  // namespace regard
