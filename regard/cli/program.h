#pragma once

#include <string>
#include <vector>

namespace regard {

/// The program: parses the arguments, runs the command, reports what goes wrong. `name` is how it
/// was called. Returns the exit code; never throws.
int run_program(const std::vector<std::string>& arguments, const char* name = "regard") noexcept;

}  // namespace regard
