#include "regard/cli/options.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/cli/number.h"

namespace regard {
namespace {

std::string long_name(const OptionText& text) {
  return text.names.substr(text.names.find("--"));
}

/// Every option is text to CLI11: numbers are read by our own rules, and "twice" is said in our
/// words.
CLI::Option* add(CLI::App& app, const OptionText& text,
                 std::function<void(const std::vector<std::string>&)> take) {
  return app
      .add_option(
          text.names,
          [&app, name = long_name(text),
           take = std::move(take)](const std::vector<std::string>& values) {
            for (const std::string& value : values)
              check(!value.starts_with('-') || !app.get_option_no_throw(value), name,
                    " needs a value, and '", value, "' is an option");
            take(values);
            return true;
          },
          text.help)
      ->type_name(text.value)
      ->type_size(1)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(text.group);
}

void check_once(const OptionText& text, const std::vector<std::string>& values) {
  check(values.size() == 1, long_name(text), " is given ", values.size(), " times; give it once");
}

}  // namespace

void add_flag(CLI::App& app, const OptionText& text, bool& on) {
  app.add_flag(text.names, on, text.help)->group(text.group)->disable_flag_override();
}

void add_option(CLI::App& app, const OptionText& text, std::optional<std::string>& value) {
  add(app, text, [text, &value](const std::vector<std::string>& values) {
    check_once(text, values);
    value = values.front();
  });
}

void add_option(CLI::App& app, const OptionText& text, std::vector<std::string>& values) {
  add(app, text, [&values](const std::vector<std::string>& given) { values = given; });
}

void add_pair(CLI::App& app, const OptionText& text, std::vector<std::string>& values) {
  add(app, text, [text, &values](const std::vector<std::string>& given) {
    check(given.size() <= 2, long_name(text), " takes one file or two, got ", given.size());
    values = given;
  })->expected(1, 2);
}

void add_list(CLI::App& app, const OptionText& text, std::vector<std::string>& values) {
  constexpr int kMany = 1 << 20;
  add(app, text, [&values](const std::vector<std::string>& given) {
    values = given;
  })->expected(1, kMany);
}

void add_optional(CLI::App& app, const OptionText& text, const std::string& fallback,
                  std::optional<std::string>& value) {
  add(app, text, [text, fallback, &value](const std::vector<std::string>& values) {
    check_once(text, values);
    // CLI11 spells "no value" as nothing, and in other versions as "true".
    const bool bare = values.front().empty() || values.front() == "true";
    value = bare ? fallback : values.front();
  })->expected(0, 1);
}

void add_option(CLI::App& app, const OptionText& text, Limits limits, std::optional<Index>& value) {
  add(app, text, [text, limits, &value](const std::vector<std::string>& values) {
    check_once(text, values);
    value = parse_count(values.front());
    check(value && *value >= limits.least && *value <= limits.most, long_name(text), " is '",
          values.front(), "', expected a whole number from ", limits.least, " to ", limits.most);
  });
}

void add_word(CLI::App& app, const OptionText& text, std::optional<std::string>& value) {
  app.add_option_function<std::string>(
         text.names, [&value](const std::string& word) { value = word; }, text.help)
      ->type_name(text.value)
      ->group(text.group);
}

void add_words(CLI::App& app, const OptionText& text, std::vector<std::string>& values) {
  app.add_option(text.names, values, text.help)->type_name(text.value)->group(text.group);
}

std::string named_input(const std::optional<std::string>& word,
                        const std::optional<std::string>& option) {
  check(!word || !option, "the input is named twice, by --input and as '", word.value_or(""),
        "'; name it once");
  const std::string input = word ? *word : option.value_or("-");
  check(!input.empty(), "--input needs the name of a file");
  return input;
}

void add_footer(CLI::App& app, const std::string& text) {
  app.footer(text);
}

std::string help_beside(const CLI::App& app, const std::string& name) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_parent()->get_subcommands({})) {
    if (command->get_name() == name) return command->help();
    names.push_back(command->get_name());
  }
  fail(Fault::usage, "there is no command '", name, "'", did_you_mean(name, names));
}

std::string help_above(const CLI::App& app) {
  // Not help(): that hands the question back to the command that was given, which is this one.
  const CLI::App* program = app.get_parent();
  return program->get_formatter()->make_help(program, "", CLI::AppFormatMode::Normal);
}

std::vector<KnownCommand> known_commands(const CLI::App& app) {
  const auto options_of = [](const CLI::App& level, std::vector<KnownOption>& into) {
    for (const CLI::Option* option : level.get_options()) {
      KnownOption known{.names = {}, .value = option->get_type_name(), .help = {}};
      if (option->get_items_expected_max() == 0) known.value.clear();
      for (const std::string& name : option->get_snames()) known.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) known.names.push_back("--" + name);
      const std::string help = option->get_description();
      known.help = help.substr(0, help.find('\n'));
      if (!known.names.empty()) into.push_back(std::move(known));
    }
  };
  std::vector<KnownCommand> commands;
  for (const CLI::App* command : app.get_parent()->get_subcommands({})) {
    commands.push_back({command->get_name(), command->get_description(), {}});
    options_of(*command, commands.back().options);
    std::erase_if(commands.back().options, [](const KnownOption& option) {
      return option.names.back() == "--help";  // every command's, and told below
    });
    options_of(*app.get_parent(), commands.back().options);
  }
  return commands;
}

}  // namespace regard
