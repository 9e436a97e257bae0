#include "regard/viewer/heat_map_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "regard/viewer/draw/colour_bar.h"
#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/heat_map_cells.h"
#include "regard/viewer/text.h"
#include "regard/viewer/ticks.h"

namespace regard {
namespace {

constexpr double kMargin = 20, kPanelTitle = 11.5, kAxis = 12, kBarWidth = 14, kNote = 10.5;
constexpr double kLargestCell = 60, kLongestAxis = 160, kWidestTitle = 880;
constexpr double kLongestSide = 2500, kLongestGrid = 1600;  // that names may stretch matrices to
constexpr double kTitleRoom = 60;        // that a title may claim over a small panel
constexpr std::size_t kMaxNotes = 1200;  // elements that only answer the pointer
constexpr Colour kWhite{255, 255, 255};

std::int64_t chosen_across(std::int64_t count, const Extent& extent) {
  // A page somewhat wider than tall, with few places left empty.
  std::int64_t best = 1;
  double least = 1e300;
  for (std::int64_t across = 1; across <= count; ++across) {
    const std::int64_t down = (count + across - 1) / across;
    const double shape =
        static_cast<double>(across * extent.cols) / static_cast<double>(down * extent.rows);
    const double empty = static_cast<double>(across * down - count) / static_cast<double>(count);
    const double cost = std::abs(std::log(shape / 1.8)) + empty;
    if (cost < least) least = cost, best = across;
  }
  return best;
}

bool any_title(const std::vector<Panel>& panels) {
  return std::ranges::any_of(panels, [](const Panel& p) { return !p.title.empty(); });
}

}  // namespace

HeatMapFigure::HeatMapFigure(const HeatMap& map, std::int64_t max_cells)
    : map_(map), scale_(scale_of(map)), max_cells_(max_cells) {
  check_panels(map);
  choose_grid();
  choose_labels();
  place();
}

void HeatMapFigure::choose_grid() {
  const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(map_.panels.size()));
  const Extent extent = extent_of(map_.panels);
  across_ =
      map_.panels_across > 0 ? std::min(map_.panels_across, count) : chosen_across(count, extent);
  down_ = (count + across_ - 1) / across_;

  choose_cells();
  for (const Panel& panel : map_.panels)
    panels_.push_back(side_ == 1 ? panel : pooled(panel, side_));
  numbers_ = chosen_numbers();
}

void HeatMapFigure::choose_cells() {
  const bool single = map_.panels.size() <= 1;
  const double wide = single ? 560 : 1040.0 / static_cast<double>(across_);
  const double tall = single ? 600 : 1500.0 / static_cast<double>(down_);
  std::vector<std::int64_t> cols(static_cast<std::size_t>(across_), 1);
  std::vector<std::int64_t> rows(static_cast<std::size_t>(down_), 1);
  std::int64_t cells = 0;
  bool named = false;
  for (std::size_t i = 0; i < map_.panels.size(); ++i) {
    const Panel& panel = map_.panels[i];
    std::int64_t &widest = cols[i % cols.size()], &tallest = rows[i / cols.size()];
    widest = std::max(widest, panel.cols);
    tallest = std::max(tallest, panel.rows);
    cells += panel.rows * panel.cols;
    named = named || are_names(panel.row_labels) || are_names(panel.col_labels);
  }
  const auto total = [](const std::vector<std::int64_t>& sizes, std::int64_t side) {
    std::int64_t sum = 0;
    for (const std::int64_t size : sizes) sum += (size + side - 1) / side;
    return static_cast<double>(sum);
  };
  // Names are worth a larger page, as far as it stays one that can be looked at.
  const double longest = single ? kLongestSide : kLongestGrid;
  named = named && cells <= max_cells_ && kNamedPitch * total(cols, 1) <= longest &&
          kNamedPitch * total(rows, 1) <= longest;
  const auto room = [](double length) { return std::max<std::int64_t>(24, std::llround(length)); };
  if (!named)
    side_ =
        pool_side(map_, {.max_cells = max_cells_, .max_rows = room(tall), .max_cols = room(wide)});
  const double fits = std::min(static_cast<double>(across_) * wide / total(cols, side_),
                               static_cast<double>(down_) * tall / total(rows, side_));
  cell_ = std::clamp(std::floor(fits), named ? kNamedPitch : 1.0, kLargestCell);
}

HeatMapFigure::Numbers HeatMapFigure::chosen_numbers() const {
  if (!map_.show_values || side_ > 1 || cell_ < 22) return {};
  const double magnitude = std::max(std::abs(scale_.low()), std::abs(scale_.high()));
  for (const int digits : {3, 2})
    for (const double size : {11.5, 9.5}) {
      const int decimals = decimals_for(magnitude, digits);
      double widest = 0;
      for (const Panel& panel : panels_)
        for (const double value : panel.values)
          if (!std::isnan(value))
            widest = std::max(widest, text_width(number(value, decimals), size));
      if (widest <= cell_ - 6) return {decimals, size};
    }
  return {};
}

void HeatMapFigure::choose_labels() {
  const double room = panels_.size() > 1 ? 80 : 120;
  const double pitch = cell_ / static_cast<double>(side_);
  for (const Panel& panel : map_.panels) {
    const Panel& first = map_.panels.front();
    shared_rows_ = shared_rows_ && panel.rows == first.rows && panel.row_labels == first.row_labels;
    shared_cols_ = shared_cols_ && panel.cols == first.cols && panel.col_labels == first.col_labels;
    row_labels_.push_back(
        row_labels({.names = panel.row_labels, .count = panel.rows, .pitch = pitch, .room = room}));
  }
  // Names are written at one angle in all panels.
  for (const bool turned : {false, true}) {
    col_labels_.clear();
    for (const Panel& panel : map_.panels)
      col_labels_.push_back(column_labels({.names = panel.col_labels,
                                           .count = panel.cols,
                                           .pitch = pitch,
                                           .room = room,
                                           .turned = turned}));
    if (std::ranges::none_of(col_labels_, [](const AxisLabels& axis) { return axis.angle != 0; }))
      break;
  }
}

/// Has the panel none below it? Then it carries the columns' names for those above.
bool HeatMapFigure::lowest(std::size_t panel) const {
  return panel + columns_.size() >= panels_.size();
}

void HeatMapFigure::measure_bands() {
  columns_.assign(static_cast<std::size_t>(across_), {.size = cell_});
  rows_.assign(static_cast<std::size_t>(down_), {.size = cell_});
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    Band &column = columns_[i % columns_.size()], &row = rows_[i / columns_.size()];
    const double title = text_width(visible(panels_[i].title), kPanelTitle, true) + 8;
    column.size = std::max({column.size, cell_ * static_cast<double>(panels_[i].cols),
                            panels_.size() > 1 ? std::min(title, kTitleRoom) : 0});
    row.size = std::max(row.size, cell_ * static_cast<double>(panels_[i].rows));
    if (!shared_rows_ || &column == &columns_.front())
      column.labels =
          std::ceil(std::max({column.labels, row_labels_[i].extent, col_labels_[i].overhang}));
    if (!shared_cols_ || &row == &rows_.back())
      row.labels = std::ceil(std::max(row.labels, col_labels_[i].extent));
  }
}

void HeatMapFigure::place() {
  measure_bands();
  const double headline = any_title(panels_) ? kPanelTitle + 9 : 0;
  const double gap = panels_.size() > 24 ? 12 : 18;
  notes_ = chosen_notes();
  double x = kMargin + (map_.row_axis.empty() ? 0 : kAxis + 10), y = 0;
  for (Band& column : columns_) {
    column.start = x + column.labels;
    x = column.start + column.size + gap;
  }
  for (Band& row : rows_) {
    row.start = y + headline;
    y = row.start + row.size + row.labels + gap;
  }
  grid_.width = x - gap - columns_.front().start;
  grid_.height = y - gap - rows_.back().labels - headline;
  grid_.x = columns_.front().start;
  bar_ = {grid_.x + grid_.width + 26, 0, kBarWidth, std::clamp(grid_.height, 90.0, 320.0)};
  const ColourBar bar{scale_, bar_, std::ranges::any_of(panels_, any_hidden)};
  heading_ = Heading(map_.title, map_.subtitle);
  double needed = kMargin + heading_.narrowest(kWidestTitle);
  for (const std::string& note : notes_)
    needed = std::max(needed, kMargin + text_width(note, kNote));
  width_ = std::ceil(std::max(bar_.x + bar.extent(), needed) + kMargin);
  heading_.fit(width_ - 2 * kMargin);

  // The rows' name stands upright in the middle, and may be longer than they are tall.
  const double beyond = std::max(0.0, (row_axis_length() - grid_.height) / 2);
  const double top = kMargin + heading_.height() + std::ceil(std::max(0.0, beyond - headline));
  for (Band& row : rows_) row.start += top;
  grid_.y = bar_.y = rows_.front().start;

  const double bottom = grid_.y + grid_.height;
  const double under = rows_.back().labels + (map_.col_axis.empty() ? 0 : kAxis + 10);
  height_ = std::max({bottom + under, bottom + beyond, grid_.y + bar.height()});
  height_ = std::ceil(height_ + static_cast<double>(notes_.size()) * (kNote + 8) + kMargin);
}

/// What was left out, and how.
std::vector<std::string> HeatMapFigure::chosen_notes() const {
  std::vector<std::string> notes;
  std::int64_t row_step = 1, col_step = 1;
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    if (are_names(map_.panels[i].row_labels)) row_step = std::max(row_step, row_labels_[i].step);
    if (are_names(map_.panels[i].col_labels)) col_step = std::max(col_step, col_labels_[i].step);
  }
  if (side_ > 1) notes.push_back(pool_note(side_));
  if (const std::string named = label_note(row_step, col_step); !named.empty())
    notes.push_back(named);
  return notes;
}

double HeatMapFigure::row_axis_length() const {
  return std::min(text_width(visible(map_.row_axis), kAxis), kLongestAxis);
}

Box HeatMapFigure::box_of(std::size_t panel) const {
  return {columns_[panel % columns_.size()].start, rows_[panel / columns_.size()].start,
          cell_ * static_cast<double>(panels_[panel].cols),
          cell_ * static_cast<double>(panels_[panel].rows)};
}

std::string HeatMapFigure::title() const {
  return !map_.title.empty() ? map_.title : !map_.subtitle.empty() ? map_.subtitle : "heat map";
}

std::string HeatMapFigure::description() const {
  const Extent extent = extent_of(map_.panels);
  return fmt::format(
      "{} of {} rows ({}) and {} columns ({}); colours from {} to {}, darker is {}.",
      map_.panels.size() == 1 ? "A heat map" : fmt::format("{} heat maps", map_.panels.size()),
      extent.rows, map_.row_axis.empty() ? "queries" : map_.row_axis, extent.cols,
      map_.col_axis.empty() ? "keys" : map_.col_axis, fmt::format("{:.4g}", scale_.low()),
      fmt::format("{:.4g}", scale_.high()), scale_.diverging() ? "further from 0" : "more");
}

void HeatMapFigure::draw_cells(Canvas& canvas, std::size_t i) const {
  const Panel& panel = panels_[i];
  const Box box = box_of(i);
  std::vector<std::optional<Colour>> colours;
  for (const double value : panel.values)
    colours.push_back(std::isnan(value) ? std::nullopt : std::optional(scale_.at(value)));
  if (any_hidden(panel)) canvas.hatch(box);
  canvas.mosaic({.box = box, .rows = panel.rows, .cols = panel.cols, .colours = colours});
  if (cell_ >= 12) {
    const Stroke seam{.colour = kWhite, .width = cell_ >= 30 ? 1.5 : 1};
    for (std::int64_t row = 1; row < panel.rows; ++row) {
      const double y = box.y + cell_ * static_cast<double>(row);
      canvas.polyline(std::vector<Point>{{box.x, y}, {box.x + box.width, y}}, seam);
    }
    for (std::int64_t col = 1; col < panel.cols; ++col) {
      const double x = box.x + cell_ * static_cast<double>(col);
      canvas.polyline(std::vector<Point>{{x, box.y}, {x, box.y + box.height}}, seam);
    }
  }
  // Around the cells, not over them: in a large map they are no wider than the line.
  frame(canvas, {box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1}, {.colour = kRule});
}

void HeatMapFigure::draw_numbers(Canvas& canvas, std::size_t i) const {
  if (numbers_.decimals < 0) return;
  const Panel& panel = panels_[i];
  const Box box = box_of(i);
  for (std::int64_t row = 0; row < panel.rows; ++row)
    for (std::int64_t col = 0; col < panel.cols; ++col) {
      const double value = panel.values[row * panel.cols + col];
      if (std::isnan(value)) continue;
      canvas.text(
          {box.x + (static_cast<double>(col) + 0.5) * cell_,
           box.y + (static_cast<double>(row) + 0.5) * cell_ + 0.36 * numbers_.size},
          number(value, numbers_.decimals),
          {.size = numbers_.size, .anchor = Anchor::middle, .colour = ink_on(scale_.at(value))});
    }
}

void HeatMapFigure::draw_labels(Canvas& canvas, std::size_t i) const {
  const Box box = box_of(i);
  const std::size_t column = i % columns_.size();
  const double room = panels_.size() == 1            ? width_ - kMargin - box.x
                      : column + 1 < columns_.size() ? columns_[column + 1].start - box.x - 8
                                                     : columns_[column].size + 10;
  canvas.text({box.x, box.y - 7}, fit_text(panels_[i].title, room, kPanelTitle, true),
              {.size = kPanelTitle, .bold = true});
  if (!shared_rows_ || column == 0) draw_rows(canvas, {box.x, box.y}, row_labels_[i]);
  if (!shared_cols_ || lowest(i)) draw_columns(canvas, {box.x, box.y + box.height}, col_labels_[i]);
}

void HeatMapFigure::draw_notes(Canvas& canvas, std::size_t i) const {
  const Panel& panel = panels_[i];
  const Box box = box_of(i);
  const std::string head = panel.title.empty() ? "" : panel.title + ": ";
  for (std::int64_t row = 0; row < panel.rows; ++row)
    for (std::int64_t col = 0; col < panel.cols; ++col) {
      const double value = panel.values[row * panel.cols + col];
      const std::string shown = std::isnan(value) ? "hidden" : fmt::format("{:.4g}", value);
      canvas.note({box.x + cell_ * static_cast<double>(col),
                   box.y + cell_ * static_cast<double>(row), cell_, cell_},
                  visible(fmt::format("{}{} → {}: {}", head, label_of(panel.row_labels, row),
                                      label_of(panel.col_labels, col), shown)));
    }
}

void HeatMapFigure::draw_axis_names(Canvas& canvas) const {
  const double under = grid_.y + grid_.height + rows_.back().labels;
  const TextStyle quiet{.size = kAxis, .anchor = Anchor::middle, .colour = kQuietInk};
  canvas.text({grid_.x + grid_.width / 2, under + kAxis + 4}, visible(map_.col_axis), quiet);
  TextStyle upright = quiet;
  upright.angle = 90;
  canvas.text({kMargin + kAxis - 2, grid_.y + grid_.height / 2},
              fit_text(map_.row_axis, std::max(grid_.height, kLongestAxis), kAxis), upright);
}

void HeatMapFigure::draw(Canvas& canvas) const {
  heading_.draw(canvas, {kMargin, kMargin});
  std::size_t cells = 0;
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    draw_labels(canvas, i);
    cells += panels_[i].values.size();
    if (panels_[i].values.empty()) continue;
    draw_cells(canvas, i);
    draw_numbers(canvas, i);
  }
  const ColourBar bar{scale_, bar_, std::ranges::any_of(panels_, any_hidden)};
  bar.draw(canvas);
  draw_axis_names(canvas);
  double y = height_ - kMargin - 3;
  for (auto note = notes_.rbegin(); note != notes_.rend(); ++note, y -= kNote + 8)
    canvas.text({kMargin, y}, *note, {.size = kNote, .colour = kQuietInk});
  if (side_ == 1 && cells <= kMaxNotes)
    for (std::size_t i = 0; i < panels_.size(); ++i) draw_notes(canvas, i);
}

}  // namespace regard
