#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/image/image.h"
#include "regard/viewer/colour.h"

namespace regard {

inline constexpr Colour kInk{26, 28, 44}, kQuietInk{92, 95, 112}, kRule{120, 122, 136};

/// Lengths are in units of one screen pixel at normal size; y grows downwards.
struct Point {
  double x = 0, y = 0;
};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

struct Stroke {
  Colour colour;
  double width = 1;
  std::vector<double> dashes = {};  ///< lengths drawn and skipped in turn; empty: all drawn
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 11;
  bool bold = false;
  Anchor anchor = Anchor::start;
  double angle = 0;  ///< degrees, against the clock, about the point it is anchored at
  Colour colour = kInk;
};

/// A matrix of coloured cells of one size; nothing is drawn where there is no colour.
struct Mosaic {
  Box box;
  std::int64_t rows = 0, cols = 0;
  std::span<const std::optional<Colour>> colours;  ///< [rows, cols]
};

/// The page of a figure.
struct Page {
  double width = 0, height = 0;
  std::string title = {};        ///< read out and shown as the document's name
  std::string description = {};  ///< what the picture shows, in a sentence
};

/// What a figure is drawn on. Text given to it is visible() text.
class Canvas {
 public:
  virtual ~Canvas() = default;

  virtual void rectangle(const Box& box, Colour fill) = 0;
  virtual void mosaic(const Mosaic& mosaic) = 0;
  virtual void picture(const Box& box, const Image& image) = 0;  ///< its pixels stay square-edged
  virtual void hatch(const Box& box) = 0;  ///< "nothing to see here": pale diagonal stripes
  virtual void polyline(std::span<const Point> points, const Stroke& stroke) = 0;
  virtual void disc(Point centre, double radius, Colour fill) = 0;
  /// `at` is on the baseline.
  virtual void text(Point at, std::string_view text, const TextStyle& style) = 0;
  /// What a pointer resting on the box is told; drawn nowhere.
  virtual void note(const Box& box, std::string_view text) = 0;
};

inline constexpr Colour kHatchGround{246, 246, 248}, kHatchStripe{214, 215, 222};
inline constexpr double kHatchPitch = 6;  ///< units between stripes, along x

/// The outline of a box.
void frame(Canvas& canvas, const Box& box, const Stroke& stroke);

}  // namespace regard
