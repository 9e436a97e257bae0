#pragma once

#include <optional>
#include <string>

#include "regard/cli/command.h"
#include "regard/cli/model_option.h"

namespace regard {

/// The folder of the model that comes with the program: models/en-fr beside the folder of the
/// program, or share/regard/models/en-fr once installed. None if neither is there. It must have
/// been put there by root or by whoever put the program there: throws Error(usage) if there are
/// only models of others.
std::optional<std::string> shipped_model();

/// Declares --model and --strict for a command that may take the shipped model.
void declare_or_shipped(CLI::App& app, ModelOption& option);

/// Takes the shipped model if --model was not given, and says so on standard error.
void take_shipped_model(ModelOption& option, const Settings& settings);

}  // namespace regard
