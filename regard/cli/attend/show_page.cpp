#include <fmt/format.h>

#include "regard/cli/attend/show.h"
#include "regard/cli/attend/table.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

/// Figures are drawn for light; inverted, with hues turned back, they are dark.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<title>Attention, step by step</title>
<style>
:root { color-scheme: light dark; --paper: #f4f4f7; --card: #ffffff; --ink: #1a1c2c;
  --quiet: #5c5f70; --rule: #d6d7de; }
body { margin: 0 auto; max-width: 88rem; padding: 1.5rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 "DejaVu Sans", Verdana, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; }
pre { margin: 0.5rem 0; overflow-x: auto; font: 0.85rem/1.4 "DejaVu Sans Mono", monospace; }
main { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 1rem; margin-top: 1.5rem; }
section { max-width: 100%; box-sizing: border-box; padding: 1rem; background: var(--card);
  border: 1px solid var(--rule); border-radius: 0.5rem; }
h2 { font-size: 1rem; font-weight: normal; margin: 0; }
h2 span, figcaption, summary { color: var(--quiet); font-size: 0.85rem; }
figure { margin: 0.5rem 0 0; max-width: 100%; overflow-x: auto; }
h1 + pre { white-space: pre-wrap; }
svg { max-width: 100%; height: auto; }
summary { cursor: pointer; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1f1f23; --card: #141414; --ink: #e6e6ea; --quiet: #a5a7b4; --rule: #3a3b44; }
  svg { filter: invert(0.92) hue-rotate(180deg); }
}
</style>
</head>
<body>
)";

/// Every SVG of ours calls its hatching "hidden"; in one page names must differ.
std::string with_own_names(std::string drawing, std::size_t number) {
  for (const char* part : {R"(id="hidden)", R"(fill="url(#hidden)"})
    for (std::size_t at = drawing.find(part); at != drawing.npos; at = drawing.find(part, at))
      drawing.insert(at += std::string_view(part).size(), fmt::format("-{}", number));
  return drawing;
}

/// The numbers as in the terminal, which may be wide.
std::string numbers(const MatrixStack& stack) {
  constexpr Terminal wide{.width = 160, .unicode = true};
  std::string out;
  for (Index number = 0; number < stack.batch() * stack.heads(); ++number) {
    const std::string name = panel_name(stack, number);
    if (!name.empty()) out += name + "\n";
    out += text({matrix_at(stack.values, number), stack.row_labels, stack.col_labels}, wide);
  }
  return "<details><summary>numbers</summary><pre>" + escaped(out) + "</pre></details>";
}

/// Draws figure after figure.
class PageFigures {
 public:
  std::string operator()(const MatrixStack& stack, const std::string& caption) {
    return fmt::format("<figure>{}\n{}{}</figure>\n",
                       caption.empty() ? "" : "<figcaption>" + caption + "</figcaption>",
                       with_own_names(svg(heat_map(stack, "")), ++count_), numbers(stack));
  }

 private:
  std::size_t count_ = 0;
};

std::string shape_text(const Shape& shape) {
  std::string out;
  for (int axis = 0; axis < 4; ++axis)
    if (axis > 1 || shape[axis] > 1)
      out += fmt::format("{}{}", out.empty() ? "" : ", ", shape[axis]);
  return "[" + out + "]";
}

}  // namespace

std::string as_page(const Steps& steps, const std::string& summary) {
  std::string out = kHead;
  out += "<h1>Attention, step by step</h1>\n<pre>" + escaped(summary);
  if (!steps.loss.empty()) out += "loss: " + escaped(steps.loss);
  out += "</pre>\n<main>\n";
  PageFigures figure;
  for (const Step& step : steps.all) {
    const MatrixStack& value = step.value;
    out += fmt::format("<section><h2><b>{}</b>{} <span>{}</span></h2>\n", escaped(step.name),
                       step.equation.empty() ? ", given" : " = " + escaped(step.equation),
                       shape_text(value.values.shape()));
    out += figure(value, step.gradient ? "value" : "");
    if (step.gradient)
      out += figure({*step.gradient, value.row_labels, value.col_labels}, "gradient of the loss");
    out += "</section>\n";
  }
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace regard
