#include <algorithm>
#include <array>
#include <cmath>

#include "regard/viewer/line_plot.h"
#include "regard/viewer/line_plot_axis.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr std::size_t kShapes = 6;
constexpr std::array<const char*, kShapes> kMarks{"●", "■", "▲", "×", "◆", "+"};
constexpr std::array<const char*, kShapes> kPlainMarks{"*", "o", "#", "x", "@", "+"};
constexpr std::array<const char*, kShapes> kSamples{"───", "╌╌╌", "┈┈┈", "─╌─", "╌┈╌", "┈─┈"};
// Dots drawn and skipped in turn: lines stay apart where there is no colour.
constexpr std::array<std::array<int, 2>, kShapes> kDashes{
    {{1, 0}, {6, 4}, {1, 2}, {10, 3}, {3, 3}, {1, 4}}};

// A field of characters, each of 2 x 4 dots where the terminal has braille, else of one.
class Field {
 public:
  Field(const Terminal& terminal, int width, int height)
      : terminal_(terminal),
        width_(width),
        height_(height),
        cells_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  bool dashes() const { return terminal_.unicode; }  // plain marks differ by themselves
  int dots_across() const { return terminal_.unicode ? 2 * width_ : width_; }
  int dots_down() const { return terminal_.unicode ? 4 * height_ : height_; }

  void dot(int x, int y, std::size_t curve) {
    if (x < 0 || y < 0 || x >= dots_across() || y >= dots_down()) return;
    if (!terminal_.unicode) return mark(x, y, curve);
    constexpr unsigned kBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell& cell = cells_[y / 4 * width_ + x / 2];
    cell.dots |= kBits[y % 4][x % 2];
    cell.curve = curve;
  }

  void mark(int x, int y, std::size_t curve) {
    const int column = terminal_.unicode ? x / 2 : x, row = terminal_.unicode ? y / 4 : y;
    if (column < 0 || row < 0 || column >= width_ || row >= height_) return;
    cells_[row * width_ + column] = {.dots = 0, .curve = curve, .marked = true};
  }

  std::string line(int row) const {
    std::string text;
    for (int column = 0; column < width_; ++column) {
      const Cell& cell = cells_[row * width_ + column];
      if (!cell.marked && cell.dots == 0) {
        text += ' ';
        continue;
      }
      text += painted(terminal_, cell.marked ? mark_of(cell.curve) : braille(cell.dots),
                      curve_colour(cell.curve));
    }
    return text;
  }

  std::string mark_of(std::size_t curve) const {
    return terminal_.unicode ? kMarks[curve % kShapes] : kPlainMarks[curve % kShapes];
  }

 private:
  struct Cell {
    unsigned dots = 0;
    std::size_t curve = 0;
    bool marked = false;
  };

  static std::string braille(unsigned dots) {  // U+2800 + dots
    return {static_cast<char>(0xE2), static_cast<char>(0xA0 | (dots >> 6)),
            static_cast<char>(0x80 | (dots & 0x3F))};
  }

  const Terminal& terminal_;
  int width_, height_;
  std::vector<Cell> cells_;
};

struct Dot {
  double x, y;
};

void draw_segment(Field& field, Dot a, Dot b, std::size_t curve, int& walked) {
  const int steps =
      std::max(1, static_cast<int>(std::ceil(std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)))));
  const auto [on, off] = kDashes[curve % kShapes];
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    if (i < steps) ++walked;
    if (field.dashes() && walked % (on + off) >= on) continue;
    field.dot(static_cast<int>(std::lround(a.x + t * (b.x - a.x))),
              static_cast<int>(std::lround(a.y + t * (b.y - a.y))), curve);
  }
}

void draw_curve(Field& field, const PlotAxes& axes, const Curve& curve, std::size_t index) {
  Dot before{};
  bool drawing = false;
  int walked = -1;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!axes.shows(curve.x[i], curve.y[i])) {
      drawing = false;
      continue;
    }
    const Dot at{axes.x.place(curve.x[i]) * (field.dots_across() - 1),
                 (1 - axes.y.place(curve.y[i])) * (field.dots_down() - 1)};
    if (curve.points) {
      field.mark(static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y)), index);
    } else if (drawing) {
      draw_segment(field, before, at, index, walked);
    } else {
      field.dot(static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y)), index);
    }
    before = at;
    drawing = true;
  }
}

std::string legend(const LinePlot& plot, const Terminal& terminal) {
  std::string text;
  int used = 0;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    if (plot.curves[i].name.empty()) continue;
    const std::string plain = kPlainMarks[i % kShapes];
    const std::string sample = plot.curves[i].points
                                   ? (terminal.unicode ? kMarks[i % kShapes] : plain)
                               : terminal.unicode ? kSamples[i % kShapes]
                                                  : plain + plain + plain;
    const int room = terminal.width - display_width(sample) - 1;
    if (room < 1) continue;
    const int width = std::min(room, display_width(shown(terminal, plot.curves[i].name)));
    const int entry = display_width(sample) + 1 + width;
    if (used > 0 && used + 3 + entry > terminal.width) text += '\n', used = 0;
    if (used > 0) text += "   ", used += 3;
    text += painted(terminal, sample, curve_colour(i)) + " " +
            fitted(terminal, plot.curves[i].name, width);
    used += entry;
  }
  return used > 0 ? text + "\n" : text;
}

// Numbers under the axis, left to right, those that would touch the one before left out.
std::string x_numbers(const std::vector<Tick>& marks, const PlotAxis& axis, int left, int width) {
  std::string line(static_cast<std::size_t>(left + width), ' ');
  int free_from = 0;
  for (const Tick& tick : marks) {
    const int size = static_cast<int>(tick.text.size());
    const int middle = left + static_cast<int>(std::lround(axis.place(tick.value) * (width - 1)));
    const int start = std::clamp(middle - size / 2, 0, std::max(0, left + width - size));
    if (start < free_from || start + size > left + width) continue;
    line.replace(static_cast<std::size_t>(start), tick.text.size(), tick.text);
    free_from = start + size + 1;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string terminal(const LinePlot& plot, const Terminal& terminal) {
  const PlotAxes axes = axes_of(plot);
  const int height = std::clamp(terminal.width / 4, 6, 18);
  std::vector<Tick> y_marks = axes.y.marks(std::max(2, height / 3));
  int numbers = 0;
  for (const Tick& tick : y_marks) numbers = std::max(numbers, static_cast<int>(tick.text.size()));
  // On a terminal too narrow for both, the curve matters more than its numbers.
  if (terminal.width < numbers + 12) numbers = 0;
  const int left = numbers > 0 ? numbers + 2 : 0;
  const int width = std::clamp(terminal.width - left, 1, 100);

  Field field(terminal, width, height);
  for (const bool points : {false, true})
    for (std::size_t i = 0; i < plot.curves.size(); ++i)
      if (plot.curves[i].points == points) draw_curve(field, axes, plot.curves[i], i);

  const auto heading = [&](const std::string& text) {
    const int room = std::min(terminal.width, display_width(shown(terminal, text)));
    return text.empty() ? std::string() : fitted(terminal, text, room) + "\n";
  };
  std::string page = heading(plot.title) + legend(plot, terminal) + heading(plot.y_axis);
  for (int row = 0; row < height; ++row) {
    std::string text;
    for (const Tick& tick : y_marks)
      if (std::lround((1 - axes.y.place(tick.value)) * (height - 1)) == row) text = tick.text;
    if (left > 0)
      page += fitted(terminal, text, numbers, Side::right) +
              (terminal.unicode ? (text.empty() ? " │" : " ┤") : (text.empty() ? " |" : " +"));
    page += field.line(row) + "\n";
  }
  if (left > 0) {
    page +=
        std::string(static_cast<std::size_t>(numbers + 1), ' ') + (terminal.unicode ? "└" : "+");
    for (int i = 0; i < width; ++i) page += terminal.unicode ? "─" : "-";
    page += '\n';
    page += x_numbers(axes.x.marks(std::max(2, width / 9)), axes.x, left, width);
    page += '\n';
  }
  if (!plot.x_axis.empty()) {
    const int room = std::min(width, display_width(shown(terminal, plot.x_axis)));
    page += std::string(static_cast<std::size_t>(left + (width - room) / 2), ' ') +
            fitted(terminal, plot.x_axis, room) + "\n";
  }
  return page;
}

}  // namespace regard
