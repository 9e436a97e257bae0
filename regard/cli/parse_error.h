#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace regard {

/// What CLI11 found wrong with the arguments, as Error(usage) in our words: an unknown option or
/// command with the nearest name, a known one at the wrong place, a missing value.
[[noreturn]] void fail_to_parse(const CLI::App& app, const CLI::ParseError& error,
                                std::span<const std::string> arguments);

}  // namespace regard
