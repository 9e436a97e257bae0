// Every other file is compiled for x86-64-v3, and dies of an illegal instruction on a processor
// that lacks it. This one is compiled for the first x86-64 (regard/CMakeLists.txt), so that it can
// still speak there; for the same reason it uses nothing of the other files, and of the library
// only what the system supplies.
#include "regard/cli/processor.h"

#include <string.h>
#include <unistd.h>

namespace regard {

const char* unfit(ProcessorFeatures features) {
  if (features.avx2 && features.fma && features.bmi2) return nullptr;
  if (!features.avx2)
    return "regard: error: this processor has no AVX2, which regard needs; use a machine from 2013 "
           "(Intel) or 2015 (AMD) or later, or a virtual machine that shows its host's features\n";
  if (!features.fma)
    return "regard: error: this processor has no FMA, which regard needs; use a machine from 2013 "
           "(Intel) or 2015 (AMD) or later, or a virtual machine that shows its host's features\n";
  return "regard: error: this processor has no BMI2, which regard needs; use a machine from 2013 "
         "(Intel) or 2015 (AMD) or later, or a virtual machine that shows its host's features\n";
}

void require_fit_processor() {
  __builtin_cpu_init();
  const char* const why = unfit({.avx2 = __builtin_cpu_supports("avx2") != 0,
                                 .fma = __builtin_cpu_supports("fma") != 0,
                                 .bmi2 = __builtin_cpu_supports("bmi2") != 0});
  if (!why) return;
  constexpr int kDevice = 5;
  if (write(STDERR_FILENO, why, strlen(why)) < 0) _exit(kDevice);
  _exit(kDevice);
}

namespace {

/// 101 is the first priority a program may take: before main would be too late, since objects at
/// namespace scope in the other files are made earlier, by code of x86-64-v3.
__attribute__((constructor(101))) void before_every_initialiser() {
  require_fit_processor();
}

}  // namespace
}  // namespace regard
