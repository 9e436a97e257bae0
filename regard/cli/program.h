#pragma once

#include <string>
#include <vector>

namespace regard {

/// The program: parses the arguments (without its own name), runs the command, reports what goes
/// wrong. Returns the exit code; never throws.
int run_program(const std::vector<std::string>& arguments) noexcept;

}  // namespace regard
