#pragma once

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace regard {

/// What CLI11 found wrong with the arguments, as Error(usage) in our words: an unknown option or
/// command with the nearest name, a missing value.
[[noreturn]] void fail_to_parse(const CLI::App& app, const CLI::ParseError& error);

}  // namespace regard
