#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace regard {

/// How the user wants to be spoken to, by any command.
struct Settings {
  bool quiet = false;
  bool verbose = false;            ///< name the place in our source where an error arises
  std::string program = "regard";  ///< as it was called, for commands that the user may copy
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
