#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regard/viewer/draw/canvas.h"

namespace regard {

/// The labels beside a matrix: which are written, how, and the room they take.
struct AxisLabels {
  struct Label {
    double at;  ///< from the matrix's corner to the middle of the row or column
    std::string text;
  };
  std::vector<Label> labels;
  double size = 11, angle = 0;
  double extent = 0;      ///< away from the matrix
  double overhang = 0;    ///< to the left of the matrix, under slanted columns
  std::int64_t step = 1;  ///< every how many-th is written
};

/// The least pitch at which every name can be written.
inline constexpr double kNamedPitch = 9.5;

/// Names of rows or columns, or none: they are numbered.
struct AxisNames {
  const std::vector<std::string>& names;
  std::int64_t count = 0;
  double pitch = 0;  ///< from one to the next; where it is too little for all, every 2nd, 5th, 10th
                     ///< ... is written
  double room = 0;   ///< the most a label may measure
  bool turned = false;  ///< names of columns are not level even where they would fit
};

AxisLabels row_labels(const AxisNames& names);

/// Level where they fit, else slanted, else upright.
AxisLabels column_labels(const AxisNames& names);

/// `corner`: the matrix's upper left for rows, lower left for columns.
void draw_rows(Canvas& canvas, Point corner, const AxisLabels& labels);
void draw_columns(Canvas& canvas, Point corner, const AxisLabels& labels);

/// More bytes than a line in that room ever has, short of piling up marks.
std::size_t most_bytes(double room, double size);

/// Visible, shortened in the middle to the room.
std::string fit_text(const std::string& text, double room, double size, bool bold = false);

/// The same with the words at both sides of the gap whole; where there are none, the same.
std::string fit_words(const std::string& text, double room, double size, bool bold = false);

}  // namespace regard
