#include <filesystem>
#include <fstream>

#include "regard/serve/refusal.h"
#include "regard/serve/routes/asked.h"
#include "regard/serve/routes/routes.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index kMostLines = 5000;  // of a run, in one answer

std::string metrics_path(const ServedModel& model) {
  return model.folder() + "/metrics.jsonl";
}

/// Calls take(line) for every whole line until it says false; a training may be writing the last.
template <class Take>
void each_line(const std::string& path, const Take& take) {
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line) && !file.eof();)
    if (!take(line)) return;
}

/// Its curves are the last thing a training draws; one that goes on writes lines behind them.
bool finished(const ServedModel& model) {
  std::error_code no_curves, no_lines;
  const auto curves = std::filesystem::last_write_time(model.folder() + "/curves.svg", no_curves);
  const auto lines = std::filesystem::last_write_time(metrics_path(model), no_lines);
  return !no_curves && !no_lines && curves >= lines;
}

void answer_runs(Service& service, const Call& call) {
  Json runs = Json::array();
  const std::shared_ptr<const Models> models = service.models();
  for (const ServedModelPtr& model : *models) {
    std::error_code ignored;
    if (!std::filesystem::exists(metrics_path(*model), ignored)) continue;
    Index lines = 0;
    each_line(metrics_path(*model), [&](const std::string&) {
      ++lines;
      return (*call.waiting)();
    });
    runs.push_back({{"id", model->name()}, {"finished", finished(*model)}, {"lines", lines}});
  }
  call.respond(json_response({{"schema", 1}, {"runs", std::move(runs)}}));
}

void answer_metrics(Service& service, const Call& call) {
  std::string id;
  matches(run_metrics, call.request.path, &id);
  const Fields fields = Fields::of_query(call.request.query);
  const Index since = asked_whole(fields, "since", 0, 0, Index{1} << 40);
  const ServedModelPtr model = model_named(*service.models(), id);
  if (!model) throw Refusal{.status = 404, .text = "no run of that name"};
  Json lines = Json::array();
  Index number = 0, next = since;
  each_line(metrics_path(*model), [&](const std::string& line) {
    if (number++ < since) return (*call.waiting)();
    next = number;
    Json parsed = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (parsed.is_object()) lines.push_back(std::move(parsed));
    return next - since < kMostLines && (*call.waiting)();
  });
  call.respond(json_response({{"schema", 1}, {"lines", std::move(lines)}, {"next", next}}));
}

}  // namespace

extern const Route runs{
    .method = "GET", .path = "/v1/runs", .place = Route::Place::study, .answer = answer_runs};
extern const Route run_metrics{.method = "GET",
                               .path = "/v1/runs/{id}/metrics",
                               .place = Route::Place::study,
                               .answer = answer_metrics};

}  // namespace regard::routes
