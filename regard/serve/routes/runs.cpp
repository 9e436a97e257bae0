#include <filesystem>
#include <fstream>

#include "regard/serve/refusal.h"
#include "regard/serve/routes/asked.h"
#include "regard/serve/routes/routes.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index kMostLines = 100'000;  // of a run, in one answer

std::string metrics_path(const ServedModel& model) {
  return model.folder() + "/metrics.jsonl";
}

/// Calls take(line) for every whole line; a training may be writing the last one.
template <class Take>
void each_line(const std::string& path, const Take& take) {
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line) && !file.eof();) take(line);
}

void answer_runs(Service& service, const Call& call) {
  Json runs = Json::array();
  for (const ServedModelPtr& model : *service.models()) {
    std::error_code ignored;
    if (!std::filesystem::exists(metrics_path(*model), ignored)) continue;
    Index lines = 0;
    each_line(metrics_path(*model), [&](const std::string&) { ++lines; });
    // Its curves are the last thing a training draws.
    const bool finished = std::filesystem::exists(model->folder() + "/curves.svg", ignored);
    runs.push_back({{"id", model->name()}, {"finished", finished}, {"lines", lines}});
  }
  call.respond(json_response({{"schema", 1}, {"runs", std::move(runs)}}));
}

void answer_metrics(Service& service, const Call& call) {
  std::string id;
  matches(run_metrics, call.request.path, &id);
  const Fields fields = Fields::of_query(call.request.query);
  const Index since = asked_whole(fields, "since", 0, 0, Index{1} << 40);
  for (const ServedModelPtr& model : *service.models()) {
    if (model->name() != id) continue;
    Json lines = Json::array();
    Index number = 0, next = since;
    each_line(metrics_path(*model), [&](const std::string& line) {
      if (number++ < next || static_cast<Index>(lines.size()) >= kMostLines) return;
      next = number;
      Json parsed = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (parsed.is_object()) lines.push_back(std::move(parsed));
    });
    return call.respond(
        json_response({{"schema", 1}, {"lines", std::move(lines)}, {"next", next}}));
  }
  throw Refusal{.status = 404, .text = "no run of that name"};
}

}  // namespace

extern const Route runs{.method = "GET", .path = "/v1/runs", .answer = answer_runs};
extern const Route run_metrics{
    .method = "GET", .path = "/v1/runs/{id}/metrics", .answer = answer_metrics};

}  // namespace regard::routes
