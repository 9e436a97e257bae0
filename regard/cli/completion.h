#pragma once

#include <span>
#include <string>

#include "regard/cli/options.h"

namespace regard {

/// A script that makes a shell complete the commands and options of the program, and names of files
/// elsewhere. Throws Error(usage) for a shell other than bash, zsh and fish.
std::string completion_script(const std::string& shell, std::span<const KnownCommand> commands);

}  // namespace regard
