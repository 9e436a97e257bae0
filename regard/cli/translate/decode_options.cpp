#include "regard/cli/translate/decode_options.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/cli/options.h"
#include "regard/config/section.h"
#include "regard/config/toml.h"

namespace regard {
namespace {

/// Pieces of a line have at most 256 tokens, and a translation twice as many.
constexpr Index kMaxLength = 512;

constexpr SettingFlag kDecodeFlags[]{
    {"beam", "--beam", "N", "beam size; 1: greedy (default: 4)", "Search"},
    {"n_best", "--n-best", "N", "show the N best of each line", "Search"},
    {"length_penalty", "--length-penalty", "X",
     "score is log p / ((5 + length) / 6)^X (default: 1)", "Search"},
    {"max_length", "--max-length", "N", "maximum tokens of an output (default: 512)", "Search"},
    {"batch_tokens", "--batch-tokens", "N", " per batch and thread;\ndoes not change results",
     "Search"},
    {"temperature", "--temperature", "X",
     "below 1 more conservative, above 1 more random (default: 1)", "Sampling"},
    {"top_k", "--top-k", "N", "sample from the N likeliest tokens", "Sampling"},
    {"top_p", "--top-p", "X",
     "sample from the likeliest tokens that together have\nthis probability", "Sampling"},
    {"seed", "--seed", "N", "random seed (default: 1)", "Sampling"},
};

}  // namespace

void declare(CLI::App& app, DecodeOptions& options, const std::string& counted) {
  add_flag(app, {"--sample", "", "sample instead of searching", "Sampling"}, options.sample);
  add_option(app, {"--config", "FILE", "settings, as TOML: [decode]", "Search"}, options.config);
  for (const SettingFlag& flag : kDecodeFlags) {
    const bool counts = std::string_view(flag.setting) == "batch_tokens";
    add_option(
        app, {flag.name, flag.value, (counts ? "maximum " + counted : "") + flag.help, flag.group},
        options.given[flag.setting]);
  }
}

void declare_search(CLI::App& app, DecodeOptions& options) {
  for (const SettingFlag& flag : kDecodeFlags)
    if (const std::string_view setting = flag.setting;
        setting == "beam" || setting == "length_penalty")
      add_option(app, {flag.name, flag.value, flag.help, flag.group}, options.given[flag.setting]);
}

DecodeSpec default_decode_spec() {
  DecodeSpec spec;
  spec.max_length = kMaxLength;
  return spec;
}

DecodeSpec decode_spec(const DecodeOptions& options) {
  DecodeSpec spec = default_decode_spec();
  const std::vector<Section> sections{{"decode", fields_of(spec)}};
  Origins origins;
  if (options.config) read_toml(*options.config, with_others(sections), origins);
  read_environment(sections, origins);
  const auto given = [&](const char* setting) -> std::optional<std::string> {
    const auto found = options.given.find(setting);
    return found == options.given.end() ? std::nullopt : found->second;
  };
  for (const SettingFlag& flag : kDecodeFlags) {
    const std::optional<std::string> text = given(flag.setting);
    if (!text) continue;
    set_by_flag(sections.front(), flag.setting, *text, flag.name, origins);
  }
  spec.sample = spec.sample || options.sample;
  for (const char* setting : {"temperature", "top_k", "top_p"})
    check(spec.sample || !given(setting), "--temperature, --top-k and --top-p are about samples; ",
          "give --sample too");
  check(!options.sample || !given("beam"), "--beam only applies to searching; drop it or --sample");
  if (origins.of("decode", "beam") == "default") spec.beam = std::max(spec.beam, spec.n_best);
  check(spec.sample || spec.n_best <= spec.beam, "--n-best ", spec.n_best, " is more than --beam ",
        spec.beam, " can find; use a larger beam or a smaller N");
  return spec;
}

}  // namespace regard
