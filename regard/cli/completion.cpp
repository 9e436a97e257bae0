#include "regard/cli/completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/cli/completion_values.h"

namespace regard {
namespace {

std::string names_of(std::span<const KnownCommand> commands, const char* between = " ") {
  std::string names;
  for (const KnownCommand& command : commands)
    names.append(names.empty() ? "" : between).append(command.name);
  return names;
}

/// The options that every command has, as those of a command without a name: they may come before
/// the command's.
KnownCommand before_the_command(std::span<const KnownCommand> commands) {
  KnownCommand program;
  for (const KnownOption& option : commands.front().options)
    if (std::ranges::all_of(commands, [&](const KnownCommand& command) {
          return std::ranges::find(command.options, option.names, &KnownOption::names) !=
                 command.options.end();
        }))
      program.options.push_back(option);
  return program;
}

std::string options_of(const KnownCommand& command) {
  std::string names;
  for (const KnownOption& option : command.options)
    for (const std::string& name : option.names)
      names.append(names.empty() ? "" : " ").append(name);
  return names;
}

/// Those whose next word is their value, as a pattern of `case`.
std::string options_with_value(const KnownCommand& command) {
  std::string names;
  for (const KnownOption& option : command.options)
    if (!option.value.empty())
      for (const std::string& name : option.names)
        names.append(names.empty() ? "" : "|").append(name);
  return names;
}

/// Within single quotes of any of the shells.
std::string quotable(const std::string& text) {
  std::string plain;
  for (const char c : text)
    if (c == '\'')
      plain += "’";
    else if (c == '[' || c == ']' || c == ':')
      plain += ' ';
    else
      plain += c;
  return plain;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

enum class Value { none, words, file, folder, other };

/// What follows an option.
Value value_of(const KnownCommand& command, const KnownOption& option) {
  if (option.value.empty()) return Value::none;
  if (option.value.starts_with("DIR")) return Value::folder;
  for (const char* file : {"FILE", "MATRIX", "MASK", "SRC REF"})
    if (option.value.starts_with(file)) return Value::file;
  return completion_values(command.name, option.names.back()).empty() ? Value::other : Value::words;
}

/// Of a command, what may follow which options: a branch of `case` in bash.
std::string bash_values(const KnownCommand& command) {
  std::string branches, folders, files, others;
  for (const KnownOption& option : command.options)
    for (const std::string& name : option.names) {
      const std::string pattern = fmt::format("'{} {}'", command.name, name);
      const auto add = [&](std::string& list) {
        list.append(list.empty() ? "" : "|").append(pattern);
      };
      const std::string words = joined(completion_values(command.name, option.names.back()));
      const Value value = value_of(command, option);
      if (value == Value::folder) add(folders);
      if (value == Value::other) add(others);
      if (value == Value::file && words.empty()) add(files);
      if (value == Value::words || (value == Value::file && !words.empty()))
        branches += fmt::format("    {}) words='{}' ;;\n", pattern, words);
    }
  if (!folders.empty())
    branches += fmt::format(
        "    {}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return "
        ";;\n",
        folders);
  if (!files.empty())
    branches += fmt::format("    {}) return ;;  # bash completes files itself\n", files);
  if (!others.empty()) branches += fmt::format("    {}) return ;;\n", others);
  return branches;
}

std::string bash(std::span<const KnownCommand> commands) {
  const KnownCommand program = before_the_command(commands);
  std::string script =
      "# regard: completion for bash; put it into ~/.bashrc: source <(regard completion bash)\n"
      "_regard() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" command=\"\" words=\"\" i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"  // options may stand before the command
      "    case \"${COMP_WORDS[i]}\" in\n";
  script +=
      fmt::format("      {}) ((++i)); if [ \"${{COMP_WORDS[i]}}\" = = ]; then ((++i)); fi ;;\n",
                  options_with_value(program));
  script +=
      fmt::format("      {}) command=\"${{COMP_WORDS[i]}}\"; break ;;\n", names_of(commands, "|"));
  script +=
      "    esac\n"
      "  done\n"
      "  COMPREPLY=()\n"
      "  case \"$command ${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
      bash_values(program);
  for (const KnownCommand& command : commands) script += bash_values(command);
  script +=
      "  esac\n"
      "  if [ -z \"$words\" ]; then\n"
      "    case \"$command $word\" in\n";
  script += fmt::format("      \\ -*) words='{}' ;;\n", options_of(program));
  script += fmt::format("      \\ *|help\\ *) words='{}' ;;\n", names_of(commands));
  for (const KnownCommand& command : commands) {
    script += fmt::format("      {}\\ -*) words='{}' ;;\n", command.name, options_of(command));
    if (const std::string words = joined(completion_words(command.name)); !words.empty())
      script += fmt::format("      {}\\ *) words='{}' ;;\n", command.name, words);
  }
  return script +
         "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _regard regard\n";  // without a word of ours: names of files
}

/// Words within an action of zsh, which a colon would end.
std::string zsh_words(const std::vector<std::string>& words) {
  std::string text;
  for (const char c : joined(words)) text.append(c == ':' ? "\\:" : std::string(1, c));
  return text;
}

std::string zsh_value(const KnownCommand& command, const KnownOption& option) {
  if (option.value.empty()) return "";
  const std::string words = zsh_words(completion_values(command.name, option.names.back()));
  const std::string name = quotable(option.value);
  switch (value_of(command, option)) {
    case Value::file:
      if (words.empty()) return fmt::format(":{}:_files", name);
      return fmt::format(":{}: _regard_words_or_files {}", name, words);
    case Value::folder:
      return fmt::format(":{}:_files -/", name);
    case Value::words:
      return fmt::format(":{}:({})", name, words);
    default:
      return fmt::format(":{}: ", name);
  }
}

std::string zsh_options(const KnownCommand& command) {
  std::string specs;
  for (const KnownOption& option : command.options)
    for (const std::string& name : option.names)
      specs += fmt::format(" \\\n      '{}[{}]{}'", name, quotable(option.help),
                           zsh_value(command, option));
  return specs;
}

std::string zsh(std::span<const KnownCommand> commands) {
  const KnownCommand program = before_the_command(commands);
  std::string script =
      "#compdef regard\n"
      "# regard: completion for zsh; put it into ~/.zshrc: source <(regard completion zsh)\n"
      "_regard_words_or_files() {\n"
      "  local -i failed=1\n"
      "  compadd -- \"$@\" && failed=0\n"
      "  _files && failed=0\n"
      "  return failed\n"
      "}\n"
      "_regard() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const KnownCommand& command : commands)
    script += fmt::format("    '{}:{}'\n", command.name, quotable(command.summary));
  script +=
      "  )\n"
      "  local command=\n"
      "  local -i i\n"
      "  for (( i = 2; i < CURRENT; ++i )); do\n"  // options may stand before the command
      "    case $words[i] in\n";
  script += fmt::format("      {}) (( ++i )) ;;\n", options_with_value(program));
  script += fmt::format("      {}) command=$words[i]; break ;;\n", names_of(commands, "|"));
  script +=
      "    esac\n"
      "  done\n"
      "  if [[ -n $command ]]; then shift $(( i - 1 )) words; (( CURRENT -= i - 1 )); fi\n"
      "  case $command in\n";
  script +=
      fmt::format("    '') _arguments{} \\\n      '1:command: _describe command commands' ;;\n",
                  zsh_options(program));
  for (const KnownCommand& command : commands) {
    script += fmt::format("    {}) _arguments{}", command.name, zsh_options(command));
    const std::string words = zsh_words(completion_words(command.name));
    script += command.name == "completion" ? fmt::format(" \\\n      '1:shell:({})' ;;\n", words)
              : command.name == "help" ? " \\\n      '1:command: _describe command commands' ;;\n"
              : words.empty()
                  ? " \\\n      '*:file:_files' ;;\n"
                  : fmt::format(" \\\n      '*:file: _regard_words_or_files {}' ;;\n", words);
  }
  return script +
         "  esac\n"
         "}\n"
         "compdef _regard regard\n";
}

std::string fish_value(const KnownCommand& command, const KnownOption& option) {
  const std::string words = joined(completion_values(command.name, option.names.back()));
  switch (value_of(command, option)) {
    case Value::none:
      return "";
    case Value::words:
      return fmt::format(" -x -a '{}'", words);
    case Value::file:
      return words.empty() ? " -r -F" : fmt::format(" -r -F -a '{}'", words);
    case Value::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Value::other:
      return " -x";
  }
  return "";
}

std::string fish(std::span<const KnownCommand> commands) {
  std::string script =
      "# regard: completion for fish; put it into ~/.config/fish/completions/regard.fish\n";
  for (const KnownCommand& command : commands)
    script += fmt::format("complete -c regard -n __fish_use_subcommand -f -a {} -d '{}'\n",
                          command.name, quotable(command.summary));
  for (const KnownCommand& command : commands) {
    if (const std::string words = joined(completion_words(command.name)); !words.empty())
      script += fmt::format("complete -c regard -n '__fish_seen_subcommand_from {}'{} -a '{}'\n",
                            command.name, command.name == "completion" ? " -f" : "", words);
    for (const KnownOption& option : command.options) {
      script += fmt::format("complete -c regard -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        script.append(name.starts_with("--") ? " -l " : " -s ")
            .append(name.substr(name.find_first_not_of('-')));
      script += fmt::format("{} -d '{}'\n", fish_value(command, option), quotable(option.help));
    }
  }
  return script;
}

}  // namespace

std::string completion_script(const std::string& shell, std::span<const KnownCommand> commands) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  constexpr std::string_view kShells[]{"bash", "zsh", "fish"};
  fail(Fault::usage, "no completion for the shell '", shell, "'", known_values(shell, kShells));
}

}  // namespace regard
