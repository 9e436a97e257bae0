#include "regard/viewer/colour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "regard/base/check.h"

namespace regard {
namespace {

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::uint8_t encoded(double light) {
  const double c = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(c, 0.0, 1.0)));
}

// OKLab (Ottosson 2020, "A perceptual color space for image processing"): equal steps of lightness
// look equal, whatever the hue.
struct Perceived {
  double lightness, chroma, hue;  // hue in degrees
};

Colour on_screen(const Perceived& p) {
  const double angle = p.hue * std::numbers::pi / 180;
  const double a = p.chroma * std::cos(angle), b = p.chroma * std::sin(angle);
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(p.lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(p.lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(p.lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

struct Tint {
  double chroma, hue;
};

// Tints at equal steps; lightness runs straight from end to end beside them.
template <std::size_t n>
Colour along(const std::array<Tint, n>& tints, double t, double darkest) {
  const double place = t * (n - 1);
  const auto i = std::min(static_cast<std::size_t>(place), n - 2);
  const double f = place - static_cast<double>(i);
  const Tint &from = tints[i], &to = tints[i + 1];
  return on_screen({.lightness = 0.985 + t * (darkest - 0.985),
                    .chroma = from.chroma + f * (to.chroma - from.chroma),
                    .hue = from.hue + f * (to.hue - from.hue)});
}

// The page draws by the same numbers (regard/page/palette.js); tests hold both to one file.
constexpr std::array<Tint, 6> kMore{
    {{0.014, 95}, {0.05, 160}, {0.085, 192}, {0.108, 228}, {0.13, 260}, {0.11, 282}}};
constexpr std::array<Tint, 4> kBelow{{{0.0, 245}, {0.065, 245}, {0.115, 250}, {0.13, 256}}};
constexpr std::array<Tint, 4> kAbove{{{0.0, 70}, {0.08, 68}, {0.135, 60}, {0.14, 50}}};

}  // namespace

std::string hex(Colour c) {
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

double luminance(Colour c) {
  return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

Colour ink_on(Colour background) {
  // Black, not the softer ink of labels: on a middling colour only black or white reach 4.5 : 1.
  const Colour dark{0, 0, 0}, light{255, 255, 255};
  const double behind = luminance(background) + 0.05;
  return (luminance(light) + 0.05) / behind > behind / (luminance(dark) + 0.05) ? light : dark;
}

int nearest_indexed(Colour c) {
  // 16 .. 231 are a cube of six levels a channel, 232 .. 255 a ramp of greys.
  constexpr std::array<int, 6> kLevels{0, 95, 135, 175, 215, 255};
  const auto nearest_level = [&](int x) {
    const auto nearer = [x](int a, int b) { return std::abs(a - x) < std::abs(b - x); };
    return static_cast<int>(std::ranges::min_element(kLevels, nearer) - kLevels.begin());
  };
  const auto distance = [&](int red, int green, int blue) {
    return (c.red - red) * (c.red - red) + (c.green - green) * (c.green - green) +
           (c.blue - blue) * (c.blue - blue);
  };
  const int r = nearest_level(c.red), g = nearest_level(c.green), b = nearest_level(c.blue);
  const int step = std::clamp((c.red + c.green + c.blue - 24 + 15) / 30, 0, 23);
  const int grey = 8 + 10 * step;
  const bool grey_is_nearer =
      distance(grey, grey, grey) < distance(kLevels[r], kLevels[g], kLevels[b]);
  return grey_is_nearer ? 232 + step : 16 + 36 * r + 6 * g + b;
}

ColourScale::ColourScale(double low, double high) : low_(low), high_(high) {
  check(std::isfinite(high - low) && low < high,
        "colour scale: expected a finite range with low < high, got ", low, " .. ", high);
}

double ColourScale::position(double value) const {
  if (!diverging()) return std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
  // One unit on both sides of zero, so that equal sizes look equally dark.
  return std::clamp(value, low_, high_) / std::max(-low_, high_);
}

Colour ColourScale::at(double value) const {
  const double t = position(value);
  if (!diverging()) return along(kMore, t, 0.27);
  return t < 0 ? along(kBelow, -t, 0.47) : along(kAbove, t, 0.47);
}

}  // namespace regard
