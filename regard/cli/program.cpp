#include "regard/cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "regard/backend/cpu/cpu.h"
#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/cli/command.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/parse_error.h"
#include "regard/cli/report.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/version.h"

namespace regard {
namespace {

constexpr Index kMaxThreads = 1024;

struct Globals {
  Settings settings;
  std::optional<Index> threads;
  std::optional<std::string> log_file;
  bool version = false;
};

std::string options_of(const CLI::App* app) {
  std::string text = "Options, for every command:\n";
  for (const CLI::Option* option : app->get_options())
    text +=
        fmt::format("  {:<20} {}\n", option->get_name(false, true) + ' ' + option->get_type_name(),
                    option->get_description());
  return text;
}

std::string overview(const CLI::App* app) {
  std::string text =
      "regard: train a model that translates, writes, captions, labels or forecasts, use it,\n"
      "and look at its attention.\n\n"
      "Usage: regard COMMAND [options]\n\nCommands:\n";
  for (const Command* command : all_commands())
    text += fmt::format("  {:<10} {}\n", command->name, command->summary);
  text += "\n" + options_of(app);
  return text +
         "\nExamples:\n"
         "  echo 'The black cat sleeps.' | regard translate\n"
         "      a translation by the English-French model that comes with the program\n"
         "  regard inspect 'The black cat sleeps.'\n"
         "      how sure it was of each word, and where it looked\n"
         "  regard serve --open\n"
         "      the same in the browser\n"
         "  regard train --train builtin:en-fr --model runs/demo --preset tiny --epochs 4\n"
         "      a model of your own in a few minutes, from the corpus inside the program;\n"
         "      the commands above take it with --model runs/demo\n"
         "  regard translate --model runs/demo < test.en | regard evaluate --ref test.fr\n"
         "      how good its translations are: BLEU and chrF\n"
         "  regard train --arch language --train text.en --model runs/writer\n"
         "      a model that writes, from a text of yours; it goes on where you stop:\n"
         "  regard generate --model runs/writer --prompt 'The old king'\n"
         "  regard attend --query '1,3,2;1,1,3;1,2,1'\n"
         "      three tokens attend to each other: scores, weights, output, a heat map\n"
         "  regard attend --query tokens.csv --mask causal --svg weights.svg\n"
         "      tokens from a file, none sees the future, and a picture\n"
         "  regard attend --list\n"
         "      every mechanism with its formula and where it comes from\n\n"
         "More on a command: regard COMMAND --help\n";
}

/// Draws the overview for the program and the usual page, a little tidied, for a command.
class HelpPage final : public CLI::Formatter {
 public:
  HelpPage() { column_width(30); }
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const override {
    if (!app->get_parent()) return overview(app);
    std::string page = CLI::Formatter::make_help(app, "regard " + app->get_name(), mode);
    for (std::size_t gap; (gap = page.find("\n\n\n")) != page.npos;) page.erase(gap, 1);
    return page;
  }
  std::string make_footer(const CLI::App* app) const override {
    const std::string own = CLI::Formatter::make_footer(app);
    return "\n" + options_of(app->get_parent()) + (own.empty() ? "" : "\n" + own);
  }
};

/// CLI11 takes "-.5,1" for a short option; joined to the option before it, it is a value.
std::vector<std::string> with_negative_numbers_joined(const std::vector<std::string>& arguments) {
  std::vector<std::string> joined;
  for (const std::string& argument : arguments) {
    const bool negative = argument.size() > 1 && argument[0] == '-' &&
                          (argument[1] == '.' || (argument[1] >= '0' && argument[1] <= '9'));
    const bool after_option = !joined.empty() && joined.back().size() > 2 &&
                              joined.back().starts_with("--") &&
                              joined.back().find('=') == std::string::npos;
    if (negative && after_option)
      joined.back() += '=' + argument;
    else
      joined.push_back(argument);
  }
  return joined;
}

void warn_as(const Settings& settings) {
  set_warning_sink([settings](std::string_view line) {
    if (settings.quiet) return;
    write_error_line(fmt::format("regard: warning: {}", visible_lines(line)));
  });
}

void declare_globals(CLI::App& app, Globals& globals) {
  app.set_help_flag("-h,--help", "show help, here or after a command");
  add_flag(app, {.names = "--version", .help = "show the version"}, globals.version);
  add_flag(app, {.names = "-q,--quiet", .help = "only results and errors"}, globals.settings.quiet);
  add_flag(
      app,
      {.names = "-v,--verbose", .help = "show source file and line of errors; serve: log requests"},
      globals.settings.verbose);
  add_option(
      app,
      {.names = "-j,--threads", .value = "N", .help = "threads to use; does not change results"},
      {1, kMaxThreads}, globals.threads);
  add_option(app,
             {.names = "--log-file", .value = "FILE", .help = "also append standard error to FILE"},
             globals.log_file);
}

/// The files and folders that the arguments of a command name.
std::vector<std::string> named_paths(const CLI::App& command) {
  std::vector<std::string> paths;
  for (const CLI::Option* option : command.get_options()) {
    const std::string value = option->get_type_name();
    for (const char* kind : {"FILE", "[FILE", "DIR", "MATRIX", "MASK"})
      if (value.starts_with(kind))
        paths.insert(paths.end(), option->results().begin(), option->results().end());
  }
  return paths;
}

/// What the arguments ask for; nothing if that is only help or the version, already given.
std::optional<Command::Action> parse(CLI::App& app, const std::vector<std::string>& arguments,
                                     Globals& globals) {
  app.formatter(std::make_shared<HelpPage>());
  declare_globals(app, globals);
  app.require_subcommand(0, 1);  // the second name of a command is a word to the first: help attend
  std::vector<std::pair<CLI::App*, Command::Action>> prepared;
  for (const Command* command : all_commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->summary));
    sub->fallthrough();
    prepared.emplace_back(sub, command->prepare(*sub));
  }
  const std::vector<std::string> joined = with_negative_numbers_joined(arguments);
  try {
    app.parse(std::vector<std::string>(joined.rbegin(), joined.rend()));  // as CLI11 wants them
  } catch (const CLI::CallForHelp&) {
    write_output(app.help());
    return {};
  } catch (const CLI::ParseError& error) {
    fail_to_parse(app, error, joined);
  }
  if (globals.version) {
    write_output(fmt::format("regard {}\n", kVersion));
    return {};
  }
  for (const auto& [sub, action] : prepared) {
    if (!sub->parsed()) continue;
    if (globals.log_file) check_log(*globals.log_file, named_paths(*sub));
    return action;
  }
  fail(Fault::usage, "no command given; try: regard --help");
}

int run(const std::vector<std::string>& arguments, Globals& globals) {
  CLI::App app("regard", "regard");  // lives as long as the actions, which may look back at it
  int code = 0;
  if (const auto action = parse(app, arguments, globals)) {
    if (globals.log_file) copy_errors_to(*globals.log_file);
    warn_as(globals.settings);
    if (globals.threads) Cpu::get().set_threads(static_cast<int>(*globals.threads));
    code = (*action)(globals.settings);
  }
  close_output();
  return code;
}

}  // namespace

int run_program(const std::vector<std::string>& arguments, const char* name) noexcept {
  Globals globals;
  try {
    globals.settings.program = name;
    return run(arguments, globals);
  } catch (const std::exception& error) {
    const bool json = std::ranges::find(arguments, "--json") != arguments.end();
    return report(error, globals.settings, json);
  }
}

}  // namespace regard
