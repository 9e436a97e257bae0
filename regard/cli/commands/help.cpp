#include <memory>

#include "regard/cli/command.h"
#include "regard/cli/options.h"
#include "regard/cli/standard_output.h"

namespace regard::commands {

extern const Command help{
    .name = "help",
    .summary = "show this overview, or the options of a command",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto topic = std::make_shared<std::optional<std::string>>();
      add_word(app, {.names = "command", .value = "NAME", .help = "the command to explain"},
               *topic);
      return [topic, &app](const Settings&) {
        write_output(*topic ? help_beside(app, **topic) : help_above(app));
        return 0;
      };
    },
};

}  // namespace regard::commands
