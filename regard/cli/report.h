#pragma once

#include <exception>

#include "regard/cli/command.h"

namespace regard {

/// Says what went wrong in one line on standard error ("regard: error: ...") and, where `json`, as
/// {"error":{"code","message","hint","file","line"}} on standard output. Returns the exit code.
int report(const std::exception& error, const Settings& settings, bool json);

}  // namespace regard
