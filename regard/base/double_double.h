#pragma once

#include <cmath>
#include <span>

namespace regard {

/// The unevaluated sum of two numbers, the second at most half a unit of the first's last place:
/// some 104 bits (Dekker 1971). What it is made of is exact by IEEE 754, so all machines agree.
struct DoubleDouble {
  double high = 0, low = 0;
};

/// a + b, exactly.   REQUIRES |a| >= |b|, or a = 0
inline DoubleDouble ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b, exactly.
inline DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a b, exactly, where that is no subnormal.
inline DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// a + b.   REQUIRES |a| >= |b|
inline DoubleDouble ordered_sum(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble sum = ordered_sum(a.high, b.high);
  return ordered_sum(sum.high, sum.low + (a.low + b.low));
}

/// Where the two nearly cancel, the result is no better than their low halves.
inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble sum = exact_sum(a.high, b.high);
  return ordered_sum(sum.high, sum.low + (a.low + b.low));
}

inline DoubleDouble operator+(const DoubleDouble& a, double b) {
  const DoubleDouble sum = exact_sum(a.high, b);
  return ordered_sum(sum.high, sum.low + a.low);
}

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + std::fma(a.high, b.low, a.low * b.high));
}

inline DoubleDouble operator*(const DoubleDouble& a, double b) {
  const DoubleDouble product = exact_product(a.high, b);
  return ordered_sum(product.high, std::fma(a.low, b, product.low));
}

inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double quotient = a.high / b.high;
  const DoubleDouble rest = a + b * -quotient;
  return ordered_sum(quotient, rest.high / b.high);
}

/// c[0] + c[1] x + c[2] x^2 + ...
inline double polynomial(double x, std::span<const double> c) {
  double sum = 0;
  for (std::size_t i = c.size(); i-- > 0;) sum = std::fma(sum, x, c[i]);
  return sum;
}

}  // namespace regard
