#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <thread>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/cli/command.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/report.h"
#include "regard/cli/serve/open_page.h"
#include "regard/cli/serve/serve_options.h"
#include "regard/cli/serve/serve_signals.h"
#include "regard/cli/serve/utc_time.h"
#include "regard/cli/shipped_model.h"
#include "regard/cli/standard_output.h"
#include "regard/serve/http/server.h"
#include "regard/serve/startup_gate.h"

namespace regard::commands {
namespace {

constexpr const char* kFooter =
    R"(The page is at /. The API follows LibreTranslate and DeepL: docs/18-serve.md, or GET /spec.
SIGHUP reloads the models; SIGTERM and SIGINT finish requests in flight and exit. Flags override
REGARD_SERVE_<KEY> variables, which override [serve] of the --config file.

Examples:
  regard serve runs/demo --open
  curl -s localhost:5000/translate -d q='The cat sleeps.' -d source=en -d target=fr
  regard serve --model runs/en-fr --model runs/en-de --port 8080 --api-key-file keys.txt)";

std::string url_of(const std::string& host, Index port) {
  const bool v6 = host.find(':') != host.npos && !host.starts_with('[');
  return fmt::format("http://{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port);
}

RequestLog request_log(const Settings& settings) {
  if (!settings.verbose) return {};
  return
      [](std::string_view line) { write_error_line(fmt::format("time={} {}", utc_time(), line)); };
}

/// What is warned of while a server runs may be read days later.
void date_warnings(const Settings& settings) {
  set_warning_sink([quiet = settings.quiet](std::string_view line) {
    if (!quiet)
      write_error_line(fmt::format("{} regard: warning: {}", utc_time(), visible_lines(line)));
  });
}

void greet(const ServeOptions& options, const Settings& settings, const std::string& url) {
  if (!settings.quiet)
    write_error_line(
        fmt::format("regard: {}  (page /, API /translate, health /health)   Ctrl-C to stop", url));
  if (options.open) open_page(url);
}

int run(ServeOptions options, const Settings& settings) {
  options.models.insert(options.models.end(), options.folders.begin(), options.folders.end());
  ServeSettings chosen = serve_settings(options);
  for (const std::string& folder : options.models)
    model_folder({.folder = folder, .strict = false});
  check(!options.models.empty(), "--model DIR is missing, the folder of a model; ",
        "train one with: regard train --train builtin:en-fr --model runs/demo --preset tiny");
  date_warnings(settings);
  ServeSignals signals;            // before any thread is made, so that all leave them to us
  std::optional<Service> service;  // made when the server is: loading lasts, and /health says so
  std::exception_ptr failure;
  std::atomic<bool> loaded{false};
  StartupGate gate;
  HttpServer server(
      chosen.http,
      [&](HttpRequest request, std::shared_ptr<CancelToken> cancel, Respond respond) {
        gate(std::move(request), std::move(cancel), std::move(respond));
      },
      [&](const HttpRequest& request, double seconds, HttpResponse& response) {
        gate.own_response(request, seconds, response);
      });
  const std::jthread watcher =
      signals.watch({.reload = [&] { gate.reload(); },
                     .stop = [&] { server.stop(); },
                     .stop_now = [] { std::_Exit(0); }});  // whatever is being computed
  std::jthread loader([&](const std::stop_token& over) {
    try {
      service.emplace(chosen.serve, options.models, request_log(settings));
      gate.open(*service);
      if (!over.stop_requested()) greet(options, settings, url_of(chosen.http.host, server.port()));
    } catch (...) {
      failure = std::current_exception();
    }
    loaded = true;
    if (failure) server.stop_now();
  });
  server.run();
  if (!loaded) std::_Exit(0);  // told to stop while it loads, and nothing is at work
  loader.request_stop();
  loader.join();
  if (failure) std::rethrow_exception(failure);
  return 0;
}

}  // namespace

extern const Command serve{
    .name = "serve",
    .summary = "translate over HTTP, say what pictures show, and show the page",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<ServeOptions>();
      declare(app, *options);
      add_footer(app, kFooter);
      return [options](const Settings& settings) {
        ModelOption shipped;
        if (options->models.empty() && options->folders.empty())
          take_shipped_model(shipped, settings);
        if (shipped.folder) options->models.push_back(*shipped.folder);
        return run(*options, settings);
      };
    },
};

}  // namespace regard::commands
