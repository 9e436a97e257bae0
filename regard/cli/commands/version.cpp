#include "regard/cli/version.h"

#include <fmt/format.h>

#include <memory>

#include "regard/cli/command.h"
#include "regard/cli/options.h"
#include "regard/cli/standard_output.h"

namespace regard::commands {

extern const Command version{
    .name = "version",
    .summary = "show the version",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto json = std::make_shared<bool>(false);
      add_flag(app, {.names = "--json", .help = "one JSON object"}, *json);
      return [json](const Settings&) {
        write_output(*json ? fmt::format("{{\"schema\":1,\"version\":\"{}\"}}\n", kVersion)
                           : fmt::format("regard {}\n", kVersion));
        return 0;
      };
    },
};

}  // namespace regard::commands
