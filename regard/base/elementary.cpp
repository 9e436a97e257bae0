#include "regard/base/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "regard/base/double_double.h"

namespace regard::elementary {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// ln 2: the first part has 32 bits, so that its product with an exponent is exact.
constexpr double kLn2First = 0x1.62e42fee00000p-1;
constexpr DoubleDouble kLn2Rest{0x1.a39ef35793c76p-33, 0x1.cc01f97b57a08p-87};
constexpr DoubleDouble kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr DoubleDouble kLog2E{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

/// 2^k.   REQUIRES -1022 <= k <= 1023
double power_of_two(int k) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

/// x 2^k, rounded once, where x is about 1 and |k| < 2000.
double scaled(double x, int k) {
  if (k > 1000) return x * power_of_two(1000) * power_of_two(k - 1000);
  if (k < -1000) return x * power_of_two(-1000) * power_of_two(k + 1000);
  return x * power_of_two(k);
}

/// e^r - 1 for |r| < 0.35: r (1 + r (1/2 + r (1/6 + r (1/24 + ...)))). From r^5 on, terms are small
/// enough that plain numbers do.
DoubleDouble exponential_less_one(const DoubleDouble& r) {
  constexpr DoubleDouble kSixth{0x1.5555555555555p-3, 0x1.5555555555555p-57};
  constexpr DoubleDouble kTwentyFourth{0x1.5555555555555p-5, 0x1.5555555555555p-59};
  constexpr double kTail[] = {1 / 120.0,         1 / 720.0,           1 / 5040.0,
                              1 / 40320.0,       1 / 362880.0,        1 / 3628800.0,
                              1 / 39916800.0,    1 / 479001600.0,     1 / 6227020800.0,
                              1 / 87178291200.0, 1 / 1307674368000.0, 1 / 20922789888000.0};
  DoubleDouble sum = ordered_sum(kTwentyFourth, exact_product(r.high, polynomial(r.high, kTail)));
  sum = ordered_sum(kSixth, r * sum);
  sum = ordered_sum({0.5, 0}, r * sum);
  sum = ordered_sum({1, 0}, r * sum);
  return r * sum;
}

/// e^x = 2^k (1 + m).
struct Exponential {
  int k;
  DoubleDouble m;
};

/// REQUIRES |x| < 1100
Exponential exponential(const DoubleDouble& x) {
  const double k = std::nearbyint(x.high * kLog2E.high);
  const double first = std::fma(-k, kLn2First, x.high);  // exact: what is left has fewer bits
  const DoubleDouble r = exact_sum(first, x.low) + kLn2Rest * -k;
  return {static_cast<int>(k), exponential_less_one(r)};
}

double rounded(const Exponential& e) {
  return scaled(ordered_sum({1, 0}, e.m).high, e.k);
}

/// x = 2^k m with m between sqrt(1/2) and sqrt(2).   REQUIRES x > 0 and finite
struct Parts {
  int k;
  double m;
};

Parts parts_of(double x) {
  int k = 0;
  if (x < std::numeric_limits<double>::min()) {  // a subnormal
    x *= 0x1p54;
    k = -54;
  }
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1,
                          kOne = std::uint64_t{1023} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1023;
  const auto m = std::bit_cast<double>((bits & kMantissa) | kOne);  // from 1 up to 2
  return m > std::numbers::sqrt2 ? Parts{k + 1, m / 2} : Parts{k, m};
}

/// log m = 2 artanh s = 2 s (1 + s^2/3 + s^4/5 + ...), s = (m - 1) / (m + 1), |s| < 0.172.
DoubleDouble log_near_one(double m) {
  constexpr DoubleDouble kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  constexpr DoubleDouble kFifth{0x1.999999999999ap-3, -0x1.999999999999ap-57};
  constexpr double kTail[] = {1 / 7.0,  1 / 9.0,  1 / 11.0, 1 / 13.0, 1 / 15.0, 1 / 17.0,
                              1 / 19.0, 1 / 21.0, 1 / 23.0, 1 / 25.0, 1 / 27.0};
  const DoubleDouble s = DoubleDouble{m - 1, 0} / exact_sum(m, 1);
  const DoubleDouble square = s * s;
  DoubleDouble sum =
      ordered_sum(kFifth, exact_product(square.high, polynomial(square.high, kTail)));
  sum = ordered_sum(kThird, square * sum);
  sum = ordered_sum({1, 0}, square * sum);
  return s * sum * 2;
}

/// REQUIRES x > 0 and finite
DoubleDouble logarithm(double x) {
  const auto [k, m] = parts_of(x);
  const double exponent = k;
  // Largest first; the parts of ln 2 do not overlap.
  return (kLn2Rest * exponent + exponent * kLn2First) + log_near_one(m);
}

/// What a logarithm, to whatever base, is where it is not a finite number.
double logarithm_at_the_edge(double x) {
  return x == 0 ? -kInfinity : x < 0 ? kNaN : x;  // infinity and NaN stay
}

bool has_finite_logarithm(double x) {
  return x > 0 && x < kInfinity;
}

/// What e^x is outside of this is 0 or infinity.
bool is_moderate(double x) {
  constexpr double kMax = 1000;
  return x > -kMax && x < kMax;
}

double extreme_exponential(double x) {
  return x > 0 ? kInfinity : x < 0 ? 0 : x;  // NaN stays
}

}  // namespace

double exp(double x) {
  return is_moderate(x) ? rounded(exponential({x, 0})) : extreme_exponential(x);
}

double exp2(double x) {
  constexpr double kMax = 1200;
  if (!(x > -kMax && x < kMax)) return extreme_exponential(x);
  const double k = std::nearbyint(x);
  return rounded({static_cast<int>(k), exponential_less_one(kLn2 * (x - k))});
}

double expm1(double x) {
  constexpr double kTiny = 0x1p-54, kMinusOne = -50, kNoMatter = 80;
  if (std::abs(x) < kTiny) return x;
  if (!is_moderate(x) || x > kNoMatter) return x < 0 ? -1 : exp(x);
  if (x < kMinusOne) return -1;
  const auto [k, m] = exponential({x, 0});
  if (k == 0) return m.high;
  const DoubleDouble power = (m + 1) * power_of_two(k);
  return (power + -1.0).high;
}

double log(double x) {
  return has_finite_logarithm(x) ? logarithm(x).high : logarithm_at_the_edge(x);
}

double log2(double x) {
  if (!has_finite_logarithm(x)) return logarithm_at_the_edge(x);
  const auto [k, m] = parts_of(x);
  return (log_near_one(m) * kLog2E + static_cast<double>(k)).high;
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y) || x < 0) return kNaN;
  if (x == 0 || x == kInfinity) return (x == 0) == (y > 0) ? 0 : kInfinity;
  if (std::isinf(y)) return (x > 1) == (y > 0) ? kInfinity : 0;
  constexpr double kLargest = 0x1p80;  // any such power is 0 or infinity; the next line is not met
  const double bounded = std::fmin(std::fmax(y, -kLargest), kLargest);
  const DoubleDouble exponent = logarithm(x) * bounded;
  return is_moderate(exponent.high) ? rounded(exponential(exponent))
                                    : extreme_exponential(exponent.high);
}

double tanh(double x) {
  constexpr double kTiny = 0x1p-30, kOne = 22;
  if (!(std::abs(x) >= kTiny)) return x;  // NaN stays
  if (std::abs(x) > kOne) return std::copysign(1.0, x);
  // (e^2x - 1) / (e^2x + 1)
  const auto [k, m] = exponential({2 * x, 0});
  const DoubleDouble below = k == 0 ? m : (m + 1) * power_of_two(k) + -1.0;
  return (below / (below + 2)).high;
}

}  // namespace regard::elementary
