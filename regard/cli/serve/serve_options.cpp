#include "regard/cli/serve/serve_options.h"

#include "regard/base/check.h"
#include "regard/cli/options.h"
#include "regard/config/section.h"
#include "regard/config/toml.h"

namespace regard {
namespace {

constexpr SettingFlag kServeFlags[]{
    {"host", "--host", "ADDRESS", "address to listen on (default: 127.0.0.1)", "Server"},
    {"port", "--port", "N", "port; 0: any free one (default: 5000)", "Server"},
    {"cors", "--cors", "ORIGIN", "allowed CORS origin, or *", "Access control"},
    {"api_key_file", "--api-key-file", "FILE", "API keys, one per line; if unset, no key is needed",
     "Access control"},
    {"per_minute", "--per-minute", "N", "requests per client and minute; more get 429",
     "Access control"},
    {"proxies", "--proxies", "LIST", "trusted proxies, whose X-Forwarded-For is used",
     "Access control"},
    {"allow_host", "--allow-host", "NAMES", "more allowed host names, separated by commas",
     "Access control"},
    {"from", "--from", "LANG", "source language of models without one", "Model"},
    {"to", "--to", "LANG", "target language of models without one", "Model"},
    {"max_chars", "--max-chars", "N", "maximum characters per request (default: 5000)", "Limits"},
    {"max_batch", "--max-batch", "N", "maximum texts per request (default: 64)", "Limits"},
    {"queue", "--queue", "N", "requests that may wait for a model; more get 503 (default: 64)",
     "Limits"},
    {"beam", "--beam", "N", "beam size; 1: greedy (default: 4)", "Search"},
    {"batch_tokens", "--batch-tokens", "N", "source tokens per batch; does not change results",
     "Search"},
};

}  // namespace

void declare(CLI::App& app, ServeOptions& options) {
  add_words(app, {"folders", "DIR..", "folders of trained models"}, options.folders);
  add_option(app,
             {"-m,--model", "DIR",
              "folder of a trained model; give several\n(default: the one that comes with "
              "regard, English to French)",
              "Model"},
             options.models);
  add_option(app, {"--config", "FILE", "settings, as TOML: [serve]", "Server"}, options.config);
  add_flag(app, {"--open", "", "open the page in a browser", "Server"}, options.open);
  for (const SettingFlag& flag : kServeFlags)
    add_option(app, {flag.name, flag.value, flag.help, flag.group}, options.given[flag.setting]);
}

Section serve_section(ServeSettings& settings) {
  std::vector<FieldRef> fields = fields_of(settings.http);
  for (FieldRef& field : fields_of(settings.serve)) fields.push_back(std::move(field));
  return {"serve", std::move(fields)};
}

ServeSettings serve_settings(const ServeOptions& options) {
  ServeSettings settings;
  const std::vector<Section> sections{serve_section(settings)};
  Origins origins;
  if (options.config) read_toml(*options.config, with_others(sections), origins);
  read_environment(sections, origins);
  for (const SettingFlag& flag : kServeFlags) {
    const auto given = options.given.find(flag.setting);
    if (given == options.given.end() || !given->second) continue;
    set_by_flag(sections.front(), flag.setting, *given->second, flag.name, origins);
  }
  settings.serve.host = settings.http.host;
  settings.serve.language_remedy = "name them with --from and --to";
  return settings;
}

}  // namespace regard
