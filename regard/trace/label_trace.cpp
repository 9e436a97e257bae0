#include "regard/trace/label_trace.h"

#include <algorithm>
#include <chrono>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/decode/label_scores.h"
#include "regard/trace/listening.h"

namespace regard {
namespace {

std::vector<TracedLabel> likeliest_labels(const std::vector<std::string>& labels,
                                          const std::vector<double>& scores, Index top) {
  std::vector<TracedLabel> found;
  for (const std::size_t i : ranked(scores, std::max<Index>(1, top)))
    found.push_back({labels[i], elementary::exp(scores[i])});
  return found;
}

/// What does not depend on what is read.
Trace begun(const Loaded<LabelModel>& model, const std::string& name, const TraceRequest& request) {
  const ModelInfo& info = model.info;
  check_request(request, info.spec);
  check(!request.reference && request.prefix.empty(), "a model of architecture ",
        info.spec.architecture, " has no translation to be given");
  Trace trace;
  trace.model = name;
  trace.from = info.from;
  trace.spec = info.spec;
  return trace;
}

void label(const Loaded<LabelModel>& model, const std::vector<std::int32_t>& source,
           const TraceRequest& request, Trace& trace) {
  const auto start = std::chrono::steady_clock::now();
  const Pass pass = listening(request, trace);
  const std::vector<double> scores =
      label_scores(*model.model, std::span(&source, 1), {}, pass).front();
  trace.encode_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  trace.labels = likeliest_labels(model.info.labels, scores, request.top);
  trace.log_probability = trace.score = elementary::log(trace.labels.front().probability);
  trace.target.text = trace.labels.front().label;
}

}  // namespace

Trace trace_label(const Loaded<LabelModel>& model, const std::string& name, const std::string& text,
                  const TraceRequest& request) {
  const ModelInfo& info = model.info;
  Trace trace = begun(model, name, request);
  trace.source = given_text(*info.source, text);
  check_length(trace.source, "text", info.spec);
  const std::span<const Token> tokens(trace.source.tokens);
  trace.unknown = unknown_text(*info.source, text, tokens.first(tokens.size() - 1));
  std::vector<std::int32_t> ids = trace.source.ids();
  ids.push_back(kEos);
  label(model, ids, request, trace);
  trace.source.tokens.insert(
      trace.source.tokens.begin(),
      {.id = -1, .text = std::string(kClassToken), .start = 0, .end = 0, .word = -1});
  return trace;
}

Trace trace_label(const Loaded<LabelModel>& model, const std::string& name,
                  const std::vector<std::int32_t>& levels, const TraceRequest& request) {
  Trace trace = begun(model, name, request);
  label(model, levels, request, trace);
  return trace;
}

}  // namespace regard
