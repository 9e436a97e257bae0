#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "regard/config/section.h"
#include "regard/serve/http/server.h"
#include "regard/serve/spec.h"

namespace CLI {
class App;
}

namespace regard {

/// Flags of the command `serve`: those the user gave, by the setting's name.
struct ServeOptions {
  std::vector<std::string> models, folders;  ///< by --model, and as bare words
  std::optional<std::string> config;
  std::map<std::string, std::optional<std::string>> given;
  bool open = false;
};

void declare(CLI::App& app, ServeOptions& options);

struct ServeSettings {
  HttpSpec http;
  ServeSpec serve;
};

/// [serve] of a config file; valid while the settings stay where they are.
Section serve_section(ServeSettings& settings);

/// What the flags say, before variables REGARD_SERVE_<KEY>, before [serve] of the config file,
/// before the defaults. Throws Error(usage) naming the flag, the variable, or file and line.
ServeSettings serve_settings(const ServeOptions& options);

}  // namespace regard
