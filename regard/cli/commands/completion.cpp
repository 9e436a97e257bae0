#include "regard/cli/completion.h"

#include <memory>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/options.h"
#include "regard/cli/standard_output.h"

namespace regard::commands {

extern const Command completion{
    .name = "completion",
    .summary = "a script that lets bash, zsh or fish complete commands",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto shell = std::make_shared<std::optional<std::string>>();
      add_word(app, {.names = "shell", .value = "NAME", .help = "bash, zsh or fish"}, *shell);
      add_footer(app, "Example:\n  source <(regard completion bash)");
      return [shell, &app](const Settings&) {
        check(shell->has_value(), "completion needs the name of a shell: bash, zsh or fish");
        write_output(completion_script(**shell, known_commands(app)));
        return 0;
      };
    },
};

}  // namespace regard::commands
