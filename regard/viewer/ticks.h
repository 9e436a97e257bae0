#pragma once

#include <string>
#include <vector>

namespace regard {

/// A place on an axis and the number written there.
struct Tick {
  double value;
  std::string text;
};

/// Round numbers (1, 2 or 5 times a power of ten apart) from low to high, at most `most` of them;
/// two or more where most >= 5. REQUIRES low <= high, finite; most >= 1.
std::vector<Tick> ticks(double low, double high, int most);

/// All whole numbers from low to high. REQUIRES few of them.
std::vector<Tick> whole_ticks(double low, double high);

/// The same for a logarithmic axis: powers of ten, or 1-2-5 where the axis spans little.
/// REQUIRES 0 < low <= high.
std::vector<Tick> log_ticks(double low, double high, int most);

/// The smallest of 1, 2, 5, 10, 20, 50, ... that is at least `least`.
long nice_step(double least);

/// A number in fixed notation, or in scientific where it needs more than 9 characters; never "-0".
std::string number(double value, int decimals);

/// Decimals that show about `digits` digits of numbers as large as `magnitude`: 0 .. 12.
int decimals_for(double magnitude, int digits);

}  // namespace regard
