#include "regard/cli/parse_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {
namespace {

const CLI::App* command_of(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? nullptr : given.front();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* level : {command_of(app), &app}) {
    if (!level) continue;
    for (const CLI::Option* option : level->get_options())
      for (const std::string& name : option->get_lnames())
        if (level == &app || name != "help") names.push_back("--" + name);  // both levels have it
  }
  return names;
}

/// Whether -- stands before the argument; CLI11 does not keep it.
bool stands_after_end(const std::string& argument, std::span<const std::string> arguments) {
  const auto end = std::ranges::find(arguments, "--");
  return std::find(end, arguments.end(), argument) != arguments.end();
}

[[noreturn]] void fail_unknown(const CLI::App& app, const std::string& wrong,
                               std::span<const std::string> arguments) {
  const CLI::App* command = command_of(app);
  std::vector<std::string> known;
  if (wrong.starts_with('-')) {
    known = option_names(app);
  } else if (!command) {
    for (const CLI::App* sub : app.get_subcommands({})) known.push_back(sub->get_name());
  } else {
    fail(Fault::usage, "'", wrong, "' is not expected after regard ", command->get_name(),
         "; options start with --, and a value with spaces needs quotes");
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string name = wrong.substr(0, wrong.find('='));
  const bool is_known = std::ranges::find(names, name) != names.end();
  check(!is_known || !stands_after_end(wrong, arguments), "'", wrong,
        "' stands after --, which ends the options; put it before --");
  check(!is_known || !command, "'", name, "' is an option of ", command ? command->get_name() : "",
        "; put it after the command");
  fail(Fault::usage, wrong.starts_with('-') ? "no option is called '" : "no command is called '",
       name, "'", did_you_mean(name, names));
}

}  // namespace

void fail_to_parse(const CLI::App& app, const CLI::ParseError& error,
                   std::span<const std::string> arguments) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> left = app.remaining(true);
    // An unknown option explains the words after it, so it is named first.
    for (const std::string& argument : left)
      if (argument.starts_with('-') && argument != "--") fail_unknown(app, argument, arguments);
    if (!left.empty()) fail_unknown(app, left.front(), arguments);
  }
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && text.find(" missing") != text.npos)
    fail(Fault::usage, text.substr(0, text.find(':')), " needs a value; see --help");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && text.find(" override") != text.npos)
    fail(Fault::usage, "--", text.substr(0, text.find(' ')), " takes no value; see --help");
  fail(Fault::usage, text, "; see --help");
}

}  // namespace regard
