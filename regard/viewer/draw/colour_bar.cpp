#include "regard/viewer/draw/colour_bar.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/ticks.h"

namespace regard {
namespace {

constexpr double kSize = 10.5, kBelow = 14;

std::vector<Tick> bar_ticks(const ColourBar& bar) {
  return ticks(bar.scale.low(), bar.scale.high(),
               std::max(5, static_cast<int>(bar.box.height / 32)));
}

}  // namespace

double ColourBar::extent() const {
  double widest = names_hidden ? text_width("hidden", kSize) : 0;
  for (const Tick& tick : bar_ticks(*this)) widest = std::max(widest, text_width(tick.text, kSize));
  return box.width + 8 + widest;
}

double ColourBar::height() const {
  return box.height + (names_hidden ? kBelow + box.width : 0);
}

void ColourBar::draw(Canvas& canvas) const {
  const auto steps = static_cast<std::int64_t>(box.height);
  const double span = scale.high() - scale.low();
  std::vector<std::optional<Colour>> colours;
  for (std::int64_t i = 0; i < steps; ++i)
    colours.emplace_back(scale.at(scale.high() - span * (static_cast<double>(i) + 0.5) /
                                                     static_cast<double>(steps)));
  canvas.mosaic({.box = box, .rows = steps, .cols = 1, .colours = colours});
  frame(canvas, box, {.colour = kRule, .width = 0.75});
  for (const Tick& tick : bar_ticks(*this)) {
    const double y = box.y + box.height * ((scale.high() - tick.value) / span);
    const double right = box.x + box.width;
    const Point mark[] = {{right, y}, {right + 4, y}};
    canvas.polyline(mark, {.colour = kRule, .width = 0.75});
    canvas.text({right + 8, y + 0.36 * kSize}, tick.text, {.size = kSize});
  }
  if (!names_hidden) return;
  const Box sample{box.x, box.y + box.height + kBelow, box.width, box.width};
  canvas.hatch(sample);
  frame(canvas, sample, {.colour = kRule, .width = 0.75});
  canvas.text({sample.x + sample.width + 8, sample.y + sample.height / 2 + 0.36 * kSize}, "hidden",
              {.size = kSize});
}

}  // namespace regard
