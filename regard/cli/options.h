#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/base/real.h"

namespace CLI {
class App;
}

namespace regard {

// Options of a command. They stand between the commands and CLI11 so that one file alone pays for
// compiling it. Given twice if once is meant, or malformed: Error(usage) naming the option.

/// How an option is written and what the help says of it.
struct OptionText {
  std::string names{};  ///< "-j,--threads"
  std::string value{};  ///< what the help calls its value: "N"
  std::string help{};
  std::string group = "Options";
};

/// A flag that sets a setting of the config file.
struct SettingFlag {
  const char *setting, *name, *value, *help, *group;
};

void add_flag(CLI::App& app, const OptionText& text, bool& on);
void add_option(CLI::App& app, const OptionText& text, std::optional<std::string>& value);
/// May be given several times.
void add_option(CLI::App& app, const OptionText& text, std::vector<std::string>& values);
/// One value or two.
void add_pair(CLI::App& app, const OptionText& text, std::vector<std::string>& values);
/// One value or more, up to the next option.
void add_list(CLI::App& app, const OptionText& text, std::vector<std::string>& values);
/// A value that may be left out: then it is `fallback`.
void add_optional(CLI::App& app, const OptionText& text, const std::string& fallback,
                  std::optional<std::string>& value);
/// A whole number from `least` to `most`, as 8000 or 8k.
struct Limits {
  Index least = 0, most = 0;
};
void add_option(CLI::App& app, const OptionText& text, Limits limits, std::optional<Index>& value);
/// A bare word after the command, at most one.
void add_word(CLI::App& app, const OptionText& text, std::optional<std::string>& value);
/// Bare words after the command, any number.
void add_words(CLI::App& app, const OptionText& text, std::vector<std::string>& values);

/// The input of a command that takes it as a bare word or by --input; "-" if neither is given.
/// Throws Error(usage) if both are, or if it is empty.
std::string named_input(const std::optional<std::string>& word,
                        const std::optional<std::string>& option);

/// Text under the options in the help of a command: examples.
void add_footer(CLI::App& app, const std::string& text);

/// The help of the command called `name` beside this one; Error(usage) with the nearest name.
std::string help_beside(const CLI::App& app, const std::string& name);
/// The overview of the program that this command belongs to.
std::string help_above(const CLI::App& app);

/// What the table of a command's options says, for programs.
struct KnownOption {
  std::vector<std::string> names;  ///< "-m", "--model"
  std::string value, help;         ///< value is empty: it takes none
};
struct KnownCommand {
  std::string name, summary;
  std::vector<KnownOption> options;  ///< its own, then those of every command
};
/// Every command of the program that this command belongs to.
std::vector<KnownCommand> known_commands(const CLI::App& app);

}  // namespace regard
