#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/viewer/heat_map.h"
#include "regard/viewer/heat_map_cells.h"
#include "regard/viewer/text.h"
#include "regard/viewer/ticks.h"

namespace regard {
namespace {

constexpr std::string_view kRamp = " .:-=+*#%@";  // by ink: darker is more
constexpr std::int64_t kMaxLines = 64;
constexpr int kGap = 2, kLongestColumn = 8, kShortTitle = 12;
constexpr std::int64_t kMaxNumbered = 4;  // panels; more are read by their pattern
constexpr Colour kQuiet{128, 130, 140};

enum class CellForm {
  numbers,  // a line a row, the value in each cell
  wide,     // a line a row, two columns a cell, nearly square
  half,     // half blocks: two rows a line, a column a cell
};

class TerminalMap {
 public:
  TerminalMap(const HeatMap& map, const Terminal& terminal)
      : map_(map), terminal_(terminal), scale_(scale_of(map)) {
    check_panels(map);
    choose_form();
    side_ = pool_side(map, {.max_cells = std::numeric_limits<std::int64_t>::max(),
                            .max_rows = kMaxLines * (form_ == CellForm::half ? 2 : 1),
                            .max_cols = std::max(1, cell_room() / cell_)});
    for (const Panel& panel : map.panels)
      panels_.push_back(side_ == 1 ? panel : pooled(panel, side_));
    choose_across();
  }

  std::string page() const {
    std::string text = heading(map_.title, 0) + heading(map_.subtitle, 0);
    if (!map_.col_axis.empty() || !map_.row_axis.empty())
      text += heading(map_.row_axis + (terminal_.unicode ? " ↓  " : " down, ") + map_.col_axis +
                          (terminal_.unicode ? " →" : " across"),
                      0);
    for (std::size_t first = 0; first < panels_.size(); first += across_) {
      std::vector<std::vector<std::string>> blocks;
      std::size_t lines = 0;
      for (std::size_t i = first; i < std::min(panels_.size(), first + across_); ++i) {
        blocks.push_back(block(i));
        lines = std::max(lines, blocks.back().size());
      }
      for (std::size_t line = 0; line < lines; ++line) {
        std::string joined;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
          if (b > 0) joined += std::string(kGap, ' ');
          joined += line < blocks[b].size() ? blocks[b][line] : std::string(block_width(), ' ');
        }
        text += joined + "\n";
      }
      if (first + across_ < panels_.size()) text += "\n";
    }
    return text + legend();
  }

 private:
  int spare() const { return std::max(1, terminal_.width); }
  int labels() const { return labels_ > 0 ? labels_ + 1 : 0; }
  int cell_room() const { return std::max(1, spare() - labels()); }
  std::int64_t max_cols() const { return extent_of(panels_).cols; }
  int cells_width() const { return cell_ * static_cast<int>(max_cols()); }

  int block_width() const {
    int title = 0;
    for (const Panel& panel : panels_)
      title = std::max(title, display_width(shown(terminal_, panel.title)));
    const int room = std::min(spare(), panels_.size() > 1 ? kShortTitle : spare());
    return std::max(labels() + cells_width(), std::min(title, room));
  }

  // Spaces that fill a line to the width of its block.
  std::string fill(std::int64_t cols) const {
    return std::string(static_cast<std::size_t>(block_width() - labels() - cell_ * cols), ' ');
  }

  void choose_form() {
    const Extent extent = extent_of(map_.panels);
    for (const Panel& panel : map_.panels)
      for (std::int64_t row = 0; row < std::min<std::int64_t>(panel.rows, 10 * kMaxLines); ++row)
        labels_ =
            std::max(labels_, display_width(shown(terminal_, label_of(panel.row_labels, row))));
    labels_ = std::min({labels_, 14, spare() / 3});
    const auto fits = [&](int cell) { return cell * extent.cols <= cell_room(); };
    const auto count = static_cast<std::int64_t>(map_.panels.size());
    if (map_.show_values && count <= kMaxNumbered && extent.rows <= kMaxLines) {
      const double magnitude = std::max(std::abs(scale_.low()), std::abs(scale_.high()));
      // Whole labels are worth more than a third digit, and numbers more than whole labels.
      for (const int label_room : {10, 0})
        for (const int digits : {3, 2}) {
          decimals_ = decimals_for(magnitude, digits);
          cell_ = numbered_cell(label_room);
          if (fits(cell_)) return;
        }
    }
    decimals_ = 0;
    form_ = CellForm::wide;
    cell_ = std::min(2, cell_room());
    const bool halves = terminal_.colour != TerminalColour::none && terminal_.unicode;
    // One picture may fill the width; many are an overview, better small than far apart.
    const std::int64_t together = map_.panels_across > 0 ? std::min(map_.panels_across, count)
                                                         : std::min(count, kMaxNumbered);
    const bool fit = together * (labels() + 2 * extent.cols + kGap) <= spare() + kGap;
    if (!halves || (fit && extent.rows <= kMaxLines)) return;
    form_ = CellForm::half;
    cell_ = 1;
    labels_ = 0;
  }

  int numbered_cell(int label_room) const {
    int number_width = 0, label_width = 0;
    for (const Panel& panel : map_.panels) {
      for (const double value : panel.values)
        if (!std::isnan(value))
          number_width = std::max(number_width, static_cast<int>(number(value, decimals_).size()));
      for (const std::string& label : panel.col_labels)
        label_width = std::max(label_width, display_width(shown(terminal_, label)));
    }
    return std::max(number_width + 2, std::min(label_width + 1, label_room));
  }

  void choose_across() {
    const auto fit = std::max(1, (spare() + kGap) / (block_width() + kGap));
    const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(panels_.size()));
    const std::int64_t wanted =
        map_.panels_across > 0 ? std::min(map_.panels_across, count) : count;
    std::int64_t across = std::min<std::int64_t>(fit, wanted);
    // A row of panels means something (a layer's heads): break it evenly.
    if (map_.panels_across > 0 && across < wanted)
      for (std::int64_t even = across; even > wanted / 4 && even > 1; --even)
        if (wanted % even == 0) {
          across = even;
          break;
        }
    across_ = static_cast<std::size_t>(across);
  }

  std::string heading(const std::string& text, int indent) const {
    if (text.empty()) return {};
    const int room = std::min(spare() - indent, display_width(shown(terminal_, text)));
    return std::string(static_cast<std::size_t>(indent), ' ') + fitted(terminal_, text, room) +
           "\n";
  }

  char shade(double value) const {
    const double ink = std::abs(scale_.position(value));
    return kRamp[static_cast<std::size_t>(std::lround(ink * double(kRamp.size() - 1)))];
  }

  std::string hidden(int width) const {
    if (!terminal_.unicode) return std::string(static_cast<std::size_t>(width), '/');
    std::string text;
    for (int i = 0; i < width; ++i) text += "░";
    return painted(terminal_, text, kQuiet);
  }

  // A cell of one line, cell_ columns.
  std::string cell(double value) const {
    const bool plain = terminal_.colour == TerminalColour::none;
    if (std::isnan(value)) return hidden(cell_);
    std::string text;
    if (form_ == CellForm::numbers) {
      text = number(value, decimals_) + (plain ? std::string(1, shade(value)) : " ");
      text.insert(0, std::string(static_cast<std::size_t>(cell_) - text.size(), ' '));
    } else if (!plain) {
      text = std::string(static_cast<std::size_t>(cell_), ' ');
    } else {
      text = std::string(static_cast<std::size_t>(cell_), shade(value));
      if (value < 0 && cell_ > 1) text[0] = '-';
      if (value >= 0 && cell_ > 1 && scale_.diverging()) text[0] = ' ';
    }
    if (plain) return text;
    const Colour colour = scale_.at(value);
    return painted(terminal_, text, ink_on(colour), colour);
  }

  std::string half_cell(double upper, double lower) const {
    if (std::isnan(upper) && std::isnan(lower)) return hidden(1);
    if (std::isnan(upper)) return painted(terminal_, "▄", scale_.at(lower));
    if (std::isnan(lower)) return painted(terminal_, "▀", scale_.at(upper));
    return painted(terminal_, "▀", scale_.at(upper), scale_.at(lower));
  }

  std::vector<std::string> block(std::size_t i) const {
    const Panel& panel = panels_[i];
    std::vector<std::string> lines;
    if (std::ranges::any_of(panels_, [](const Panel& p) { return !p.title.empty(); }))
      lines.push_back(fitted(terminal_, panel.title, block_width()));
    if (form_ != CellForm::half)
      for (std::string& line : column_lines(map_.panels[i])) lines.push_back(std::move(line));
    const std::int64_t step = form_ == CellForm::half ? 2 : 1;
    const std::string rest = fill(panel.cols);
    for (std::int64_t row = 0; row < panel.rows; row += step) {
      std::string line;
      if (labels_ > 0)
        line = fitted(terminal_, label_of(map_.panels[i].row_labels, row * side_), labels_,
                      Side::right) +
               " ";
      for (std::int64_t col = 0; col < panel.cols; ++col) {
        const auto at = [&](std::int64_t r) {
          return r < panel.rows ? panel.values[r * panel.cols + col]
                                : std::numeric_limits<double>::quiet_NaN();
        };
        line += form_ == CellForm::half ? half_cell(at(row), at(row + 1)) : cell(at(row));
      }
      lines.push_back(line + rest);
    }
    return lines;
  }

  // The names of the columns: over the numbers, or letter by letter down to narrow cells.
  std::vector<std::string> column_lines(const Panel& panel) const {
    const std::string indent(static_cast<std::size_t>(labels()), ' ');
    const std::string rest = fill((panel.cols + side_ - 1) / side_);
    if (form_ == CellForm::numbers) {
      std::string line = indent;
      for (std::int64_t col = 0; col < panel.cols; ++col)
        line += fitted(terminal_, label_of(panel.col_labels, col), cell_ - 1, Side::right) + " ";
      return {line + rest};
    }
    if (panel.col_labels.empty() || side_ > 1) return {numbered_columns(panel)};
    std::vector<std::vector<std::string>> stacks;
    std::size_t tallest = 0;
    for (const std::string& label : panel.col_labels) {
      stacks.push_back(stacked(label));
      tallest = std::max(tallest, stacks.back().size());
    }
    std::vector<std::string> lines;
    for (std::size_t line = 0; line < tallest; ++line) {
      lines.push_back(indent);
      for (const auto& stack : stacks) {
        const std::size_t above = tallest - stack.size();
        lines.back() += fitted(terminal_, line < above ? "" : stack[line - above], cell_);
      }
      lines.back() += rest;
    }
    return lines;
  }

  std::vector<std::string> stacked(const std::string& label) const {
    const std::string text =
        shortened(shown(terminal_, label), kLongestColumn, terminal_.unicode ? "…" : "~",
                  [](std::string_view part) { return double(characters(part).size()); });
    std::vector<std::string> letters;
    for (const std::string_view letter : characters(text)) letters.emplace_back(letter);
    return letters;
  }

  // 0, 5, 10 ... over the columns they count, as far as there is room.
  std::string numbered_columns(const Panel& panel) const {
    const std::int64_t cols = (panel.cols + side_ - 1) / side_;
    std::string line(static_cast<std::size_t>(block_width()), ' ');
    const double digits = static_cast<double>(std::to_string(panel.cols).size() + 1);
    const std::int64_t step = nice_step(digits / cell_ * static_cast<double>(side_));
    for (std::int64_t i = 0; i < panel.cols && i / side_ < cols; i += step) {
      const std::string text = std::to_string(i);
      const auto at = static_cast<std::size_t>(labels() + cell_ * (i / side_));
      if (at + text.size() <= line.size()) line.replace(at, text.size(), text);
    }
    return line;
  }

  std::string legend() const {
    const int decimals = decimals_for(scale_.high() - scale_.low(), 3);
    const std::string low = number(scale_.low(), decimals) + " ";
    const std::string high = fmt::format(" {}", number(scale_.high(), decimals));
    const int room = spare() - static_cast<int>(low.size() + high.size());
    std::string text;
    if (room >= 4) {
      const int steps = std::min(30, room);
      text = low;
      for (int i = 0; i < steps; ++i) {
        const double value = scale_.low() + (scale_.high() - scale_.low()) * ((i + 0.5) / steps);
        text += terminal_.colour == TerminalColour::none
                    ? std::string(1, shade(value))
                    : painted(terminal_, " ", std::nullopt, scale_.at(value));
      }
      text += high;
      const bool says_hidden = std::ranges::any_of(panels_, any_hidden) && room >= steps + 12;
      text += says_hidden ? fmt::format("   {} hidden\n", hidden(2)) : "\n";
    }
    return text + (side_ > 1 ? heading(pool_note(side_), 0) : "");
  }

  const HeatMap& map_;
  const Terminal& terminal_;
  ColourScale scale_;
  CellForm form_ = CellForm::numbers;
  int cell_ = 2, labels_ = 0, decimals_ = 0;  // columns a cell, columns of row labels
  std::int64_t side_ = 1;
  std::vector<Panel> panels_;
  std::size_t across_ = 1;
};

}  // namespace

std::string terminal(const HeatMap& map, const Terminal& terminal) {
  return TerminalMap(map, terminal).page();
}

}  // namespace regard
