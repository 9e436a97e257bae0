#include <fmt/format.h>

#include <functional>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/model/run_state.h"
#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/run_lines.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

// Of a run, in one answer; who wants more asks again from where it ends.
constexpr Index kMaxLines = 5000;
constexpr std::size_t kMaxBytes = std::size_t{1} << 22;

/// Whether there is a run. One that cannot be read is none to who asks; the log says why.
bool each_readable_line(const ServedModel& model,
                        const std::function<bool(std::string_view line)>& take) {
  try {
    return each_run_line(model.folder(), take);
  } catch (const Error& error) {
    warn("the run of ", model.name(), " is left out: ", error.what());
    return false;
  }
}

void answer_runs(Service& service, const Call& call) {
  admit_reader(service, call);
  Json runs = Json::array();
  const std::shared_ptr<const Models> models = service.models();
  for (const ServedModelPtr& model : *models) {
    Index lines = 0;
    const bool found = each_readable_line(*model, [&](std::string_view) {
      ++lines;
      return !call.cancel->cancelled();
    });
    if (!found) continue;
    const RunStatus status = read_run_status(RunFolder(model->folder()));
    runs.push_back({{"id", model->name()},
                    {"state", name(status.state)},
                    {"finished", status.state == RunState::finished},
                    {"total_steps", status.total_steps > 0 ? Json(status.total_steps) : Json()},
                    {"lines", lines}});
  }
  call.respond(json_response({{"schema", 1}, {"runs", std::move(runs)}}));
}

void answer_metrics(Service& service, const Call& call) {
  admit_reader(service, call);
  std::string id;
  matches(run_metrics, call.request.path, &id);
  const Fields fields = Fields::of_query(call.request.query);
  const Index since = asked_whole(fields, "since", 0, 0, Index{1} << 40);
  const ServedModelPtr model = model_named(*service.models(), id);
  if (!model) throw HttpError{.status = 404, .text = "no run of that name"};
  std::string lines;
  Index number = 0, next = since;
  each_readable_line(*model, [&](std::string_view line) {
    if (number++ < since) return !call.cancel->cancelled();
    next = number;
    const std::string object = run_line_json(line);
    if (!object.empty()) lines.append(lines.empty() ? "" : ",").append(object);
    return next - since < kMaxLines && lines.size() < kMaxBytes && !call.cancel->cancelled();
  });
  call.respond({.body = fmt::format(R"({{"schema":1,"lines":[{}],"next":{}}})", lines, next)});
}

}  // namespace

extern const Route runs{.method = "GET",
                        .path = "/v1/runs",
                        .place = Route::Place::inspect_queue,
                        .answer = answer_runs};
extern const Route run_metrics{.method = "GET",
                               .path = "/v1/runs/{id}/metrics",
                               .place = Route::Place::inspect_queue,
                               .answer = answer_metrics};

}  // namespace regard::routes
