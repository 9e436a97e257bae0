#include "regard/cli/attend/matrix_stack.h"

#include <fmt/format.h>

namespace regard {
namespace {

/// The name in a few letters, to stand over a small panel: "b2 h1".
std::string short_name(const MatrixStack& stack, Index number) {
  if (stack.batch() > 1 && stack.heads() > 1)
    return fmt::format("b{} h{}", number / stack.heads() + 1, number % stack.heads() + 1);
  return panel_name(stack, number);
}

/// Heads stand beside each other, in as many even rows as make them no long strip; 0 for one head.
Index panels_across(Index heads) {
  Index across = heads > 1 ? heads : 0;
  while (across > 4 && across % 2 == 0 && across * across > 2 * heads) across /= 2;
  return across;
}

}  // namespace

std::string panel_name(const MatrixStack& stack, Index number) {
  const Index batch = number / stack.heads() + 1, head = number % stack.heads() + 1;
  if (stack.batch() > 1 && stack.heads() > 1) return fmt::format("batch {}, head {}", batch, head);
  if (stack.batch() > 1) return fmt::format("batch {}", batch);
  return stack.heads() > 1 ? fmt::format("head {}", head) : "";
}

HeatMap heat_map(const MatrixStack& stack, const std::string& title) {
  HeatMap map{.title = title, .panels_across = panels_across(stack.heads())};
  for (Index number = 0; number < stack.batch() * stack.heads(); ++number)
    map.panels.push_back({.title = short_name(stack, number),
                          .rows = stack.values.size(2),
                          .cols = stack.values.size(3),
                          .values = matrix_at(stack.values, number).values(),
                          .row_labels = stack.row_labels,
                          .col_labels = stack.col_labels});
  return map;
}

Tensor matrix_at(const Tensor& x, Index number) {
  const Index rows = x.size(-2), columns = x.size(-1);
  const auto all = x.span<f64>();
  return Tensor::of({rows, columns},
                    all.subspan(static_cast<std::size_t>(number * rows * columns),
                                static_cast<std::size_t>(rows * columns)),
                    Dtype::f64);
}

}  // namespace regard
