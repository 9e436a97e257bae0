#pragma once

#include <cstdint>
#include <string>

namespace regard {

/// A colour of the screen (sRGB).
struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

std::string hex(Colour colour);      ///< "#rrggbb"
double luminance(Colour colour);     ///< relative luminance of WCAG 2: 0 black .. 1 white
Colour ink_on(Colour background);    ///< black or white, whichever reads better: 4.5 : 1 at least
int nearest_indexed(Colour colour);  ///< the nearest of the 256 terminal colours: 16 .. 255

/// From values to colours, safe for colour-blind eyes: lightness falls evenly in OKLab, so the
/// scale also reads in grey. low >= 0: cream at low, through green and blue, to dark indigo at high
/// (darker is more). low < 0: white at zero, to blue below and to orange above, as dark as the
/// value is large.
class ColourScale {
 public:
  /// Throws Error(usage) unless low < high, and both and their distance are finite.
  ColourScale(double low, double high);

  double low() const { return low_; }
  double high() const { return high_; }
  bool diverging() const { return low_ < 0; }

  /// Where a value stands: 0 .. 1, or -1 .. 1 on a diverging scale; held to the ends outside.
  double position(double value) const;
  /// REQUIRES value is not NaN.
  Colour at(double value) const;

 private:
  double low_, high_;
};

}  // namespace regard
