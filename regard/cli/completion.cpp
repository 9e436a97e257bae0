#include "regard/cli/completion.h"

#include <fmt/format.h>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {
namespace {

std::string names_of(std::span<const KnownCommand> commands) {
  std::string names;
  for (const KnownCommand& command : commands)
    names.append(names.empty() ? "" : " ").append(command.name);
  return names;
}

std::string options_of(const KnownCommand& command) {
  std::string names;
  for (const KnownOption& option : command.options)
    for (const std::string& name : option.names)
      names.append(names.empty() ? "" : " ").append(name);
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

std::string bash(std::span<const KnownCommand> commands) {
  std::string script =
      "# regard: completion for bash; put it into ~/.bashrc: source <(regard completion bash)\n"
      "_regard() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" command=\"${COMP_WORDS[1]}\" words=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  script += fmt::format("    words='{} --help --version'\n  else\n    case \"$command\" in\n",
                        names_of(commands));
  for (const KnownCommand& command : commands) {
    const bool topics = command.name == "help";
    script += fmt::format(
        "      {}) words='{}' ;;\n", command.name,
        topics ? names_of(commands)
               : (command.name == "completion" ? "bash zsh fish " : "") + options_of(command));
  }
  return script +
         "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _regard regard\n";
}

std::string zsh(std::span<const KnownCommand> commands) {
  std::string script =
      "#compdef regard\n"
      "# regard: completion for zsh; put it into ~/.zshrc: source <(regard completion zsh)\n"
      "_regard() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const KnownCommand& command : commands)
    script += fmt::format("    '{}:{}'\n", command.name, quotable(command.summary));
  script +=
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const KnownCommand& command : commands) {
    script += fmt::format("    {}) _arguments", command.name);
    for (const KnownOption& option : command.options)
      for (const std::string& name : option.names)
        script +=
            fmt::format(" \\\n      '{}[{}]{}'", name, quotable(option.help),
                        option.value.empty() ? std::string()
                                             : fmt::format(":{}:_files", quotable(option.value)));
    script += command.name == "completion" ? " \\\n      '1:shell:(bash zsh fish)' ;;\n"
                                           : " \\\n      '*:file:_files' ;;\n";
  }
  return script +
         "  esac\n"
         "}\n"
         "compdef _regard regard\n";
}

std::string fish(std::span<const KnownCommand> commands) {
  std::string script =
      "# regard: completion for fish; put it into ~/.config/fish/completions/regard.fish\n";
  for (const KnownCommand& command : commands)
    script += fmt::format("complete -c regard -n __fish_use_subcommand -f -a {} -d '{}'\n",
                          command.name, quotable(command.summary));
  script +=
      "complete -c regard -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
  for (const KnownCommand& command : commands)
    for (const KnownOption& option : command.options) {
      script += fmt::format("complete -c regard -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        script.append(name.starts_with("--") ? " -l " : " -s ")
            .append(name.substr(name.find_first_not_of('-')));
      script +=
          fmt::format("{} -d '{}'\n", option.value.empty() ? "" : " -r", quotable(option.help));
    }
  return script;
}

}  // namespace

std::string completion_script(const std::string& shell, std::span<const KnownCommand> commands) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  constexpr std::string_view kShells[]{"bash", "zsh", "fish"};
  fail(Fault::usage, "no completion for the shell '", shell, "'", did_you_mean(shell, kShells));
}

}  // namespace regard
