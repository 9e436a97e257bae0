#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "regard/cli/attend/show.h"

namespace regard {
namespace {

/// As many digits as tell it from every other number, and 1 reads as 1. Null for NaN.
void append_number(std::string& out, double x) {
  if (std::isnan(x))
    out += "null";
  else
    fmt::format_to(std::back_inserter(out), "{}", x == 0 ? 0.0 : x);
}

/// Nested arrays, without leading axes of size 1 down to the last two.
void append_array(std::string& out, std::span<const Index> sizes, std::span<const double> values) {
  while (sizes.size() > 2 && sizes.front() == 1) sizes = sizes.subspan(1);
  const std::size_t count = static_cast<std::size_t>(sizes.front());
  out += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    if (sizes.size() == 1)
      append_number(out, values[i]);
    else
      append_array(out, sizes.subspan(1),
                   values.subspan(i * (values.size() / count), values.size() / count));
  }
  out += ']';
}

void append_tensor(std::string& out, const char* name, const Tensor& x) {
  out += fmt::format(",\"{}\":", name);
  append_array(out, x.shape().sizes(), x.span<f64>());
}

/// Texts, of which broken bytes become U+FFFD.
std::string dumped(const nlohmann::ordered_json& texts) {
  return texts.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void append_labels(std::string& out, const std::vector<std::string>& queries,
                   const std::vector<std::string>& keys) {
  out += fmt::format(R"(,"query_labels":{},"key_labels":{})", dumped(queries), dumped(keys));
}

void append_steps(std::string& out, const Steps& steps) {
  if (!steps.loss.empty()) out += R"(,"loss":)" + dumped(steps.loss);
  out += R"(,"steps":[)";
  for (const Step& step : steps.all) {
    if (&step != &steps.all.front()) out += ',';
    out += fmt::format(R"({{"name":{},"equation":{})", dumped(step.name),
                       step.equation.empty() ? "null" : dumped(step.equation));
    append_tensor(out, "value", step.value.values);
    if (step.gradient) append_tensor(out, "gradient", *step.gradient);
    out += '}';
  }
  out += ']';
}

}  // namespace

std::string as_json(const AttendRequest& request, const AttendResult& result, const Steps& steps) {
  const ScoreShape shape = request.shape();
  std::string out = fmt::format(R"({{"schema":1,"mechanism":"{}","batch":{},"heads":{})",
                                request.mechanism->name, shape.rows, shape.heads);
  append_labels(out, request.labels.queries, request.labels.keys);
  append_tensor(out, "scores", result.scores);
  append_tensor(out, "weights", result.weights);
  append_tensor(out, "output", result.output);
  if (!steps.all.empty()) append_steps(out, steps);
  return out + "}\n";
}

std::string as_json(const MatrixStack& weights) {
  std::string out = fmt::format(R"({{"schema":1,"heads":{})", weights.heads());
  append_labels(out, weights.row_labels, weights.col_labels);
  append_tensor(out, "weights", weights.values);
  return out + "}\n";
}

std::string mechanism_list_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Mechanism* mechanism : all_mechanisms())
    list.push_back(
        {{"name", mechanism->name}, {"formula", mechanism->formula}, {"paper", mechanism->paper}});
  return nlohmann::ordered_json{{"schema", 1}, {"mechanisms", list}}.dump() + "\n";
}

}  // namespace regard
