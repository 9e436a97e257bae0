#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <limits>

#include "regard/cli/attend/show.h"
#include "regard/cli/attend/table.h"

namespace regard {
namespace {

/// "batch 2, head 1", or less where there is one of a kind.
std::string panel_name(const AttendRequest& request, Index number) {
  const ScoreShape shape = request.shape();
  std::string name;
  if (shape.rows > 1) name = fmt::format("batch {}", number / shape.heads + 1);
  if (shape.heads > 1)
    name += fmt::format("{}head {}", name.empty() ? "" : ", ", number % shape.heads + 1);
  return name;
}

std::string heading(const std::string& name, const std::string& panel, const char* meaning,
                    const Terminal& terminal) {
  const bool bold = terminal.colour != TerminalColour::none;
  return fmt::format("\n{}{}{}{}{}: {}\n", bold ? "\x1b[1m" : "", name, panel.empty() ? "" : " of ",
                     panel, bold ? "\x1b[0m" : "", meaning);
}

std::string size_text(const Tensor& x) {
  return x.size(0) > 1 ? fmt::format("[{}, {}, {}]", x.size(0), x.size(1), x.size(2))
                       : fmt::format("[{}, {}]", x.size(1), x.size(2));
}

std::string summary(const AttendRequest& request, const AttendResult& result) {
  std::string out =
      fmt::format("{} attention: {}\n", request.mechanism->name, request.mechanism->formula);
  out += fmt::format("query {}  key {}  value {}  ->  output {}\n", size_text(request.query),
                     size_text(request.key), size_text(request.value), size_text(result.output));
  if (result.has_parameters)
    out += fmt::format("learned parameters as they start from --seed {}\n", request.seed);
  return out;
}

}  // namespace

std::string as_text(const AttendRequest& request, const AttendResult& result,
                    const Terminal& terminal) {
  const ScoreShape shape = request.shape();
  std::string out = summary(request, result);
  const auto add = [&](const Tensor& values, const std::vector<std::string>& across) {
    out += text({values, request.query_labels, across}, terminal);
  };
  for (Index b = 0; b < shape.rows; ++b) {
    for (Index h = 0; h < shape.heads; ++h) {
      const Index number = b * shape.heads + h;
      const std::string panel = panel_name(request, number);
      out += heading("scores", panel, "how well each key answers each query", terminal);
      add(matrix_at(result.scores, number), request.key_labels);
      out += heading("weights", panel, "softmax of the scores; each row sums to 1", terminal);
      add(matrix_at(result.weights, number), request.key_labels);
    }
    out += heading("output", shape.rows > 1 ? fmt::format("batch {}", b + 1) : "",
                   "the values mixed by the weights", terminal);
    add(matrix_at(result.output, b), {});
  }
  return out;
}

HeatMap as_picture(const AttendRequest& request, const AttendResult& result) {
  const ScoreShape shape = request.shape();
  HeatMap map{.title = fmt::format("{} attention weights", request.mechanism->name),
              .panels = {},
              .row_axis = "query",
              .col_axis = "key",
              .range = {}};
  for (Index number = 0; number < shape.rows * shape.heads; ++number) {
    Panel panel{.title = panel_name(request, number),
                .rows = shape.queries,
                .cols = shape.keys,
                .values = matrix_at(result.weights, number).values(),
                .row_labels = request.query_labels,
                .col_labels = request.key_labels};
    for (Index i = 0; i < panel.rows * panel.cols; ++i)
      if (result.hidden(number * panel.rows * panel.cols + i))
        panel.values[static_cast<std::size_t>(i)] = std::numeric_limits<double>::quiet_NaN();
    map.panels.push_back(std::move(panel));
  }
  return map;
}

std::string mechanism_list() {
  std::size_t name = 0, formula = 0;
  for (const Mechanism* mechanism : all_mechanisms()) {
    name = std::max(name, mechanism->name.size());
    formula = std::max(formula, mechanism->formula.size());
  }
  std::string out;
  for (const Mechanism* mechanism : all_mechanisms())
    out += fmt::format("{:<{}}  {:<{}}  {}\n", mechanism->name, name, mechanism->formula, formula,
                       mechanism->paper);
  return out;
}

}  // namespace regard
