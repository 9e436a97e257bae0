#include "regard/viewer/line_plot_strips.h"

#include <fmt/format.h>

#include <algorithm>

#include "regard/base/check.h"
#include "regard/viewer/draw/axis_labels.h"
#include "regard/viewer/text.h"
#include "regard/viewer/ticks.h"

namespace regard {
namespace {

constexpr double kGap = 8, kTitle = 18, kRow = 16, kCell = 14, kSize = 11;

}  // namespace

Strips::Strips(const LinePlot& plot, const PlotAxis& x, const Box& bottom)
    : plot_(&plot), x_(x), bottom_(bottom) {
  for (const Strip& strip : plot.strips) {
    check(strip.edges.size() == strip.values.size() + 1 && std::ranges::is_sorted(strip.edges),
          "line plot: strip \"", strip.name, "\" has ", strip.values.size(), " values and ",
          strip.edges.size(), " edges; expected one more that rise");
    for (const double value : strip.values) most_ = std::max(most_, value);
  }
}

double Strips::height() const {
  if (!plot_ || plot_->strips.empty()) return 0;
  return kGap + (plot_->strips_title.empty() ? 0 : kTitle) +
         kRow * static_cast<double>(plot_->strips.size());
}

void Strips::draw(Canvas& canvas) const {
  if (height() == 0) return;
  const ColourScale scale(0, most_ > 0 ? most_ : 1);
  double y = bottom_.y + kGap;
  if (!plot_->strips_title.empty()) {
    canvas.text({bottom_.x, y + kSize},
                fit_text(visible(plot_->strips_title), bottom_.width, kSize, false),
                {.size = kSize, .colour = kQuietInk});
    y += kTitle;
  }
  const auto on_page = [&](double x) {
    return bottom_.x + std::clamp(x_.place(x), 0.0, 1.0) * bottom_.width;
  };
  for (const Strip& strip : plot_->strips) {
    for (std::size_t i = 0; i < strip.values.size(); ++i) {
      const Box cell{on_page(strip.edges[i]), y,
                     on_page(strip.edges[i + 1]) - on_page(strip.edges[i]), kCell};
      canvas.rectangle(cell, scale.at(strip.values[i]));
      canvas.note(cell, fmt::format("{}: {}", strip.name, number(strip.values[i], 4)));
    }
    const double end = on_page(strip.edges.back()) + 6;
    canvas.text({end, y + kCell - 3},
                fit_text(visible(strip.name), bottom_.x + bottom_.width - end, kSize, false),
                {.size = kSize});
    y += kRow;
  }
}

}  // namespace regard
