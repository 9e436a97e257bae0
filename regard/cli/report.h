#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "regard/cli/command.h"

namespace regard {

/// From now on memory that runs out where nothing can be thrown, as in a destructor or in `report`,
/// ends the program at once with a message and the code for it too. Before anything else is done.
void report_lost_memory();

/// Writes the error to standard error ("regard: error: ...", several errors on indented lines) and,
/// if `json`, as {"schema","error":{"code","message","hint","file","line"}} in one line to standard
/// output. Returns the exit code.
int report(const std::exception& error, const Settings& settings, bool json);

/// A text without escape sequences of a file's; all its lines but the first are set in, so that
/// none of them passes for one of ours.
std::string visible_lines(std::string_view text);

}  // namespace regard
