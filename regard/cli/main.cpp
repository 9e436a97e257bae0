#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "regard/cli/program.h"
#include "regard/cli/standard_output.h"

namespace {

/// Says so, and ends the program, where the processor lacks the instructions all other code here is
/// compiled for. Runs before any other initialiser, and is itself compiled for the oldest machine,
/// or it would be the first to die of an illegal instruction.
__attribute__((constructor(101), target("arch=x86-64"), optimize("no-tree-vectorize"))) void
check_processor() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    return;
  static const char message[] =
      "regard: error: this processor has no AVX2 and FMA, which regard needs; "
      "use a machine from 2013 (Intel) or 2015 (AMD) or later\n";
  if (::write(STDERR_FILENO, message, sizeof message - 1) < 0) _exit(1);
  _exit(5);
}

}  // namespace

int main(int argc, char** argv) {
  regard::prepare_standard_streams();
  return regard::run_program(std::vector<std::string>(argv + (argc > 0), argv + argc));
}
