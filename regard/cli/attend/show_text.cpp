#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/cli/attend/show.h"
#include "regard/cli/attend/table.h"

namespace regard {
namespace {

/// Does some query of this panel see no key at all?
bool any_blind(const Tensor& scores) {
  const auto all = scores.span<f64>();
  const auto width = static_cast<std::size_t>(scores.size(1));
  for (std::size_t row = 0; row < all.size(); row += width)
    if (std::ranges::all_of(all.subspan(row, width), [](double x) { return std::isnan(x); }))
      return true;
  return false;
}

bool any_hidden_in(const Tensor& scores) {
  return std::ranges::any_of(scores.span<f64>(), [](double x) { return std::isnan(x); });
}

std::string of_panel(const std::string& name, const std::string& panel, const Terminal& terminal) {
  const bool bold = terminal.colour != TerminalColour::none;
  return fmt::format("\n{}{}{}{}{}", bold ? "\x1b[1m" : "", name, panel.empty() ? "" : " of ",
                     panel, bold ? "\x1b[0m" : "");
}

std::string heading(const std::string& name, const std::string& panel, const char* meaning,
                    const Terminal& terminal) {
  return fmt::format("{}: {}\n", of_panel(name, panel, terminal), meaning);
}

/// The matrix of that number, and what '-' means if it is there.
std::string table_of(const MatrixStack& stack, Index number, const Terminal& terminal) {
  const Tensor values = matrix_at(stack.values, number);
  std::string out = text({values, stack.row_labels, stack.col_labels}, terminal);
  return any_hidden_in(values) ? out + "  - : hidden by the mask\n" : out;
}

std::string size_text(const Tensor& x) {
  return x.size(0) > 1 ? fmt::format("[{}, {}, {}]", x.size(0), x.size(1), x.size(2))
                       : fmt::format("[{}, {}]", x.size(1), x.size(2));
}

/// "x [3, 4]  y [2, 4]  ->  " if something is projected, else nothing.
std::string projected_text(const AttendRequest& request) {
  std::string out, last;
  bool projects = false;
  for (const AttendInput* input : {&request.query, &request.key, &request.value}) {
    projects = projects || input->projection.weight;
    if (input->name != last)
      out += fmt::format("{}{} {}", out.empty() ? "" : "  ", input->name, size_text(input->rows));
    last = input->name;
  }
  return projects ? out + "  ->  " : "";
}

}  // namespace

std::string summary(const AttendRequest& request, const AttendResult& result) {
  std::string out =
      fmt::format("{} attention: {}\n", request.mechanism->name, request.mechanism->formula);
  out += fmt::format("{}query {}  key {}  value {}  ->  output {}\n", projected_text(request),
                     size_text(result.q), size_text(result.k), size_text(result.v),
                     size_text(result.output));
  if (result.has_parameters)
    out += fmt::format("learned parameters as they start from --seed {}\n", request.seed);
  return out;
}

std::string as_text(const AttendRequest& request, const AttendResult& result,
                    const Terminal& terminal) {
  const ScoreShape shape = request.shape();
  const AttendLabels& labels = request.labels;
  const MatrixStack all_scores{result.scores, labels.queries, labels.keys};
  const MatrixStack all_weights{result.weights, labels.queries, labels.keys};
  std::string out = summary(request, result);
  for (Index b = 0; b < shape.rows; ++b) {
    for (Index h = 0; h < shape.heads; ++h) {
      const Index number = b * shape.heads + h;
      const std::string panel = panel_name(all_scores, number);
      out += heading("scores", panel, "how well each key answers each query", terminal);
      out += table_of(all_scores, number, terminal);
      out += heading("weights", panel,
                     any_blind(matrix_at(result.scores, number))
                         ? "softmax of the scores; a row sums to 1, or is 0 where all is hidden"
                         : "softmax of the scores; each row sums to 1",
                     terminal);
      out += table_of(all_weights, number, terminal);
    }
    out += heading("output", shape.rows > 1 ? fmt::format("batch {}", b + 1) : "",
                   request.output.weight ? "the values mixed by the weights, and projected"
                                         : "the values mixed by the weights",
                   terminal);
    out += text({matrix_at(result.output, b), labels.queries, {}}, terminal);
  }
  return out;
}

std::string as_text(const Steps& steps, const Terminal& terminal) {
  std::string out = steps.loss.empty() ? "" : "loss: " + steps.loss + "\n";
  for (const Step& step : steps.all) {
    const MatrixStack& value = step.value;
    for (Index number = 0; number < value.batch() * value.heads(); ++number) {
      const std::string panel = panel_name(value, number);
      out += fmt::format("{} [{}, {}]{}\n", of_panel(step.name, panel, terminal),
                         value.values.size(2), value.values.size(3),
                         step.equation.empty() ? ", given" : " = " + step.equation);
      out += table_of(value, number, terminal);
      if (!step.gradient) continue;
      out += of_panel("gradient of " + step.name, panel, terminal) + "\n";
      out += table_of({*step.gradient, value.row_labels, value.col_labels}, number, terminal);
    }
  }
  return out;
}

std::string as_text(const MatrixStack& weights, const Terminal& terminal) {
  std::string out;
  for (Index number = 0; number < weights.heads(); ++number)
    out += heading("weights", panel_name(weights, number), "as they were given", terminal) +
           table_of(weights, number, terminal);
  return out.substr(1);  // no blank line before the first
}

HeatMap as_picture(const MatrixStack& weights, const std::string& title) {
  HeatMap map = heat_map(weights, title);
  map.row_axis = "query";
  map.col_axis = "key";
  return map;
}

HeatMap as_picture(const AttendRequest& request, const AttendResult& result) {
  Tensor weights = result.weights.clone();
  const auto all = weights.span<f64>();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (result.hidden(static_cast<Index>(i))) all[i] = std::numeric_limits<double>::quiet_NaN();
  return as_picture({weights, request.labels.queries, request.labels.keys},
                    fmt::format("{} attention weights", request.mechanism->name));
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
