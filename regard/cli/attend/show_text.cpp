#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/cli/attend/show.h"
#include "regard/cli/attend/table.h"

namespace regard {
namespace {

/// "batch 2, head 1", or less where there is one of a kind.
std::string panel_name(const ScoreShape& shape, Index number) {
  const Index batch = number / shape.heads + 1, head = number % shape.heads + 1;
  if (shape.rows > 1 && shape.heads > 1) return fmt::format("batch {}, head {}", batch, head);
  if (shape.rows > 1) return fmt::format("batch {}", batch);
  return shape.heads > 1 ? fmt::format("head {}", head) : "";
}

/// The same in a few letters, to stand over a small panel: "b2 h1".
std::string short_name(const ScoreShape& shape, Index number) {
  if (shape.rows > 1 && shape.heads > 1)
    return fmt::format("b{} h{}", number / shape.heads + 1, number % shape.heads + 1);
  return panel_name(shape, number);
}

/// Heads stand beside each other, in as many even rows as make them no long strip; 0 for one head.
Index panels_across(Index heads) {
  Index across = heads > 1 ? heads : 0;
  while (across > 4 && across % 2 == 0 && across * across > 2 * heads) across /= 2;
  return across;
}

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
      const std::string panel = panel_name(shape, number);
      const Tensor scores = matrix_at(result.scores, number);
      out += heading("scores", panel, "how well each key answers each query", terminal);
      add(scores, request.key_labels);
      if (any_hidden_in(scores)) out += "  - : hidden by the mask\n";
      out += heading("weights", panel,
                     any_blind(scores)
                         ? "softmax of the scores; a row sums to 1, or is 0 where all is hidden"
                         : "softmax of the scores; each row sums to 1",
                     terminal);
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
              .panels_across = panels_across(shape.heads),
              .row_axis = "query",
              .col_axis = "key",
              .range = {}};
  for (Index number = 0; number < shape.rows * shape.heads; ++number) {
    Panel panel{.title = short_name(shape, number),
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
