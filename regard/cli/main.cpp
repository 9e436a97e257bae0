#include <string>
#include <vector>

#include "regard/cli/processor.h"
#include "regard/cli/program.h"
#include "regard/cli/report.h"
#include "regard/cli/standard_output.h"

int main(int argc, char** argv) {
  regard::require_fit_processor();  // called here too, or the linker would leave its file out
  regard::prepare_standard_streams();
  regard::report_lost_memory();
  return regard::run_program(std::vector<std::string>(argv + (argc > 0), argv + argc),
                             argc > 0 ? argv[0] : "regard");
}
