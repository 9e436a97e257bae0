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

}  // namespace

std::string as_json(const AttendRequest& request, const AttendResult& result) {
  const ScoreShape shape = request.shape();
  std::string out = fmt::format(R"({{"schema":1,"mechanism":"{}","batch":{},"heads":{})",
                                request.mechanism->name, shape.rows, shape.heads);
  using Json = nlohmann::ordered_json;
  const auto labels = [](const std::vector<std::string>& names) {
    return Json(names).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  out += fmt::format(R"(,"query_labels":{},"key_labels":{})", labels(request.query_labels),
                     labels(request.key_labels));
  append_tensor(out, "scores", result.scores);
  append_tensor(out, "weights", result.weights);
  append_tensor(out, "output", result.output);
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
