#pragma once

#include <map>
#include <optional>
#include <string>

#include "regard/decode/spec.h"

namespace CLI {
class App;
}

namespace regard {

/// Flags that say how to look for a translation: those the user gave, by the setting's name; none
/// of a command that declares none.
struct DecodeOptions {
  std::map<std::string, std::optional<std::string>> given;
  std::optional<std::string> config;
  bool sample = false;
};

/// What translate does unless told otherwise.
DecodeSpec default_decode_spec();

/// `counted`: what --batch-tokens limits.
void declare(CLI::App& app, DecodeOptions& options, const std::string& counted = "source tokens");

/// Of a command that shows one translation of each text, those that decide which: --beam and
/// --length-penalty.
void declare_search(CLI::App& app, DecodeOptions& options);

/// What the flags say, before variables REGARD_DECODE_<KEY>, before [decode] of the config file,
/// before the defaults. A beam that was not asked for is as wide as n-best needs. Throws
/// Error(usage) naming the flag, the variable, or file and line.
DecodeSpec decode_spec(const DecodeOptions& options);

}  // namespace regard
