#include "regard/viewer/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard {
namespace {

// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// A multiple of a step, with the digits that tell it from its neighbours.
std::string stepped(double value, double step) {
  const int place = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  const std::string fixed = fmt::format("{:.{}f}", value, std::clamp(-place, 0, 12));
  if (fixed.size() <= 9 && place >= -12) return number(value, std::max(0, -place));
  const double size = std::max(std::abs(value), step);
  const int leading = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  return fmt::format("{:.{}e}", value, std::clamp(leading - place, 0, 15));
}

std::string power_of_ten(int exponent) {
  if (exponent >= -3 && exponent <= 4)
    return exponent < 0 ? number(std::pow(10.0, exponent), -exponent)
                        : number(std::pow(10.0, exponent), 0);
  return fmt::format("1e{}", exponent);
}

}  // namespace

std::vector<Tick> ticks(double low, double high, int most) {
  // Below the normal numbers there is no step between.
  if (!(high - low >= std::numeric_limits<double>::min()))
    return {{low, number(low, decimals_for(std::abs(low), 3))}};
  // The finest round step that leaves no more than `most`; the ends are halved so that they may be
  // as far apart as numbers go.
  double step = round_step((high / 2 - low / 2) / (most + 1) * 2), first = 0, last = 0;
  for (;; step = round_step(step * 1.01)) {
    first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
    if (last - first + 1 <= most) break;
  }
  std::vector<Tick> found;
  for (int i = 0; i <= last - first; ++i) {
    const double value = (first + i) * step;
    found.push_back({value, stepped(value, step)});
  }
  return found;
}

std::vector<Tick> whole_ticks(double low, double high) {
  const double first = std::ceil(low);
  std::vector<Tick> found;
  for (int i = 0; i <= std::floor(high) - first; ++i)  // counted: above 2^53 one more is the same
    found.push_back({first + i, number(first + i, 0)});
  return found;
}

std::vector<Tick> log_ticks(double low, double high, int most) {
  const double from = std::log10(low), to = std::log10(high);
  std::vector<Tick> found;
  const int first = static_cast<int>(std::ceil(from - 1e-9));
  const int last = static_cast<int>(std::floor(to + 1e-9));
  const int stride = std::max(1, (last - first + most) / most);
  for (int e = first; e <= last; e += stride) found.push_back({std::pow(10.0, e), power_of_ten(e)});
  if (found.size() >= 3) return found;

  // Too few decades to read between: 1-2-5 in each, and plain round numbers where even that is
  // thin.
  std::vector<Tick> finer;
  for (int e = static_cast<int>(std::floor(from)); e <= last; ++e)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, e);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      finer.push_back({value, number(value, std::max(0, -e))});
    }
  if (finer.size() >= 3 && static_cast<int>(finer.size()) <= most) return finer;
  return finer.size() < 3 ? ticks(low, high, most) : found;
}

long nice_step(double least) {
  return std::max(1L, std::lround(round_step(std::max(1.0, least))));
}

std::string number(double value, int decimals) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  const bool vanished = value != 0 && text.find_first_not_of("0.") == std::string::npos;
  if (text.size() > 9 || (vanished && decimals >= 12)) return fmt::format("{:.1e}", value);
  return text;
}

int decimals_for(double magnitude, int digits) {
  if (!(magnitude > 0) || !std::isfinite(magnitude)) return std::max(0, digits - 1);
  const int leading = static_cast<int>(std::floor(std::log10(magnitude) + 1e-9));
  return std::clamp(digits - 1 - leading, 0, 12);
}

}  // namespace regard
