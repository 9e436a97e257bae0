#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace regard {

/// How the user wants to be spoken to, by any command.
struct Settings {
  bool quiet = false;
  int verbosity = 0;  ///< -v is 1, -vv is 2
};

/// One verb of the program.
struct Command {
  using Action = std::function<int(const Settings& settings)>;

  std::string_view name, summary;
  Action (*prepare)(CLI::App& app);  ///< declares the options; what it returns runs after parsing
};

/// Every command of this build, in the order of their names; made from the files in commands/.
std::span<const Command* const> all_commands();

}  // namespace regard
