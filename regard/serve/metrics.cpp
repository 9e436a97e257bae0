#include "regard/serve/metrics.h"

#include <fmt/format.h>

namespace regard {
namespace {

/// A label's value, as Prometheus escapes it.
std::string label(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    result += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return result;
}

std::string heading(std::string_view name, std::string_view kind, std::string_view help) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, kind);
}

}  // namespace

void Metrics::answered(std::string_view route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  Total& total = answers_[{std::string(route), status}];
  ++total.count;
  total.seconds += seconds;
  durations_[std::string(route)].add(seconds);
}

void Metrics::translated(Index texts, Index characters) {
  const std::lock_guard lock(mutex_);
  texts_ += texts;
  characters_ += characters;
}

Index Metrics::characters() const {
  const std::lock_guard lock(mutex_);
  return characters_;
}

std::string Metrics::text(const Models& models) const {
  const std::lock_guard lock(mutex_);
  std::string out = heading("regard_requests_total", "counter", "responses sent");
  for (const auto& [key, total] : answers_)
    out += fmt::format("regard_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", label(key.first),
                       key.second, total.count);
  out += heading("regard_request_seconds_total", "counter", "time until responses were ready");
  for (const auto& [key, total] : answers_)
    out += fmt::format("regard_request_seconds_total{{route=\"{}\",status=\"{}\"}} {:.6f}\n",
                       label(key.first), key.second, total.seconds);
  out += heading("regard_request_duration_seconds", "histogram", "time until a response is ready");
  for (const auto& [route, durations] : durations_)
    out += durations.text("regard_request_duration_seconds",
                          fmt::format("route=\"{}\"", label(route)));
  out += heading("regard_queue_duration_seconds", "histogram", "time requests waited for a model");
  for (const ServedModelPtr& model : models)
    out += model->engine().queue_times().text("regard_queue_duration_seconds",
                                              fmt::format("model=\"{}\"", label(model->name())));
  out += heading("regard_texts_total", "counter", "texts translated");
  out += fmt::format("regard_texts_total {}\n", texts_);
  out += heading("regard_characters_total", "counter", "characters of these texts");
  out += fmt::format("regard_characters_total {}\n", characters_);
  out += heading("regard_queued", "gauge", "requests waiting for a model");
  for (const ServedModelPtr& model : models)
    out += fmt::format("regard_queued{{model=\"{}\"}} {}\n", label(model->name()),
                       model->engine().queued());
  out += heading("regard_in_flight", "gauge", "requests a model is working on");
  for (const ServedModelPtr& model : models)
    out += fmt::format("regard_in_flight{{model=\"{}\"}} {}\n", label(model->name()),
                       model->engine().in_flight());
  return out;
}

}  // namespace regard
