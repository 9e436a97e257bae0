#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regard/viewer/colour.h"
#include "regard/viewer/draw/axis_labels.h"
#include "regard/viewer/draw/canvas.h"
#include "regard/viewer/draw/heading.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// A heat map laid out on a page: where everything stands, before anything is drawn.
class HeatMapFigure {
 public:
  /// Pools the map to at most `max_cells` cells. Keeps a reference to the map.
  HeatMapFigure(const HeatMap& map, std::int64_t max_cells);

  double width() const { return width_; }
  double height() const { return height_; }
  double cell() const { return cell_; }
  const ColourScale& scale() const { return scale_; }
  Box box_of(std::size_t panel) const;  ///< its matrix, without labels
  std::string title() const;
  std::string description() const;

  void draw(Canvas& canvas) const;

 private:
  struct Numbers {
    int decimals = -1;  // -1: not shown
    double size = 0;
  };

  /// A column or row of panels, as wide or tall as its largest matrix.
  struct Band {
    double start = 0, size = 0;
    double labels = 0;  // the room they take: left of a column, below a row
  };

  void choose_grid();
  void choose_cells();
  void choose_labels();
  void measure_bands();
  void place();
  double row_axis_length() const;
  std::vector<std::string> chosen_notes() const;
  bool lowest(std::size_t panel) const;
  Numbers chosen_numbers() const;
  void draw_cells(Canvas& canvas, std::size_t panel) const;
  void draw_numbers(Canvas& canvas, std::size_t panel) const;
  void draw_labels(Canvas& canvas, std::size_t panel) const;
  void draw_axis_names(Canvas& canvas) const;
  void draw_notes(Canvas& canvas, std::size_t panel) const;

  const HeatMap& map_;
  ColourScale scale_;
  std::int64_t max_cells_;
  std::vector<Panel> panels_;  // pooled
  std::int64_t side_ = 1;      // of the squares pooled
  std::int64_t across_ = 1, down_ = 1;
  double cell_ = 1;
  Numbers numbers_;
  bool shared_rows_ = true, shared_cols_ = true;  // labelled once for all panels
  std::vector<AxisLabels> row_labels_, col_labels_;
  std::vector<Band> columns_, rows_;  // of panels
  Box grid_;                          // from the first matrix to the last
  Box bar_;
  Heading heading_;
  std::vector<std::string> notes_;  // under the figure, a line each
  double width_ = 0, height_ = 0;
};

}  // namespace regard
