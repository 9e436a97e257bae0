// Our own exp, log, sine and the like against those of the standard library for long double, which
// has eleven bits more: half a unit of the last place is rounding, and little else may come on top.
#include "regard/base/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr double kMax = std::numeric_limits<double>::max();

/// How far apart, in units of the last place of `exact`.
long double units_apart(double got, long double exact) {
  const auto nearest = static_cast<double>(exact);
  if (std::isnan(nearest)) return std::isnan(got) ? 0 : 1e9L;
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : 1e9L;
  const double size = std::abs(nearest);
  const long double unit =
      size == kMax ? size - std::nextafter(size, 0.0) : std::nextafter(size, kInfinity) - size;
  return std::abs(got - exact) / unit;
}

bool is_subnormal(long double x) {
  return std::abs(x) < std::numeric_limits<double>::min();
}

void expect_near(double got, long double exact, const char* name, double x, double y = 0) {
  const long double bound = is_subnormal(exact) ? 0.76L : 0.51L;
  EXPECT_LE(units_apart(got, exact), bound)
      << name << std::hexfloat << " of " << x << " " << y << " gave " << got;
}

/// Numbers of any size, special ones, and those near where a method changes its ways.
double some_number(Draw& draw) {
  const Rng rng = draw.rng("number");
  const double u = 2 * rng.uniform(0) - 1;
  const double near = u * std::exp2(-60 * rng.uniform(1));  // to 0 by all orders of magnitude
  switch (rng.below(2, 8)) {
    case 0:
      return std::bit_cast<double>(rng.bits(3));
    case 1:
      return u;
    case 2:
      return u * 750;
    case 3:
      return 1 + near;
    case 4:
      return near;
    case 5:  // near a multiple of pi/2
      return static_cast<double>(std::numbers::pi_v<long double> / 2 *
                                 static_cast<long double>(rng.below(4, 1 << 21)));
    case 6:  // near a multiple of ln 2
      return static_cast<double>(std::numbers::ln2_v<long double> *
                                 (static_cast<long double>(rng.below(4, 2100)) - 1075));
    default:
      return u * 0x1p20;
  }
}

void expect_all_near(double x) {
  expect_near(elementary::exp(x), std::exp(static_cast<long double>(x)), "exp", x);
  expect_near(elementary::exp2(x), std::exp2(static_cast<long double>(x)), "exp2", x);
  expect_near(elementary::expm1(x), std::expm1(static_cast<long double>(x)), "expm1", x);
  expect_near(elementary::log(x), std::log(static_cast<long double>(x)), "log", x);
  expect_near(elementary::log2(x), std::log2(static_cast<long double>(x)), "log2", x);
  expect_near(elementary::tanh(x), std::tanh(static_cast<long double>(x)), "tanh", x);
  expect_near(elementary::sin(x), std::sin(static_cast<long double>(x)), "sin", x);
  expect_near(elementary::cos(x), std::cos(static_cast<long double>(x)), "cos", x);
}

TEST(Elementary, IsTheNearestNumberOrItsNeighbour) {
  testing::law("elementary functions", 100'000,
               [](Draw& draw) { expect_all_near(some_number(draw)); });
}

TEST(Elementary, HoldsAtSpecialNumbers) {
  for (const double size : {0.0,
                            kLeast,
                            0x1p-1022,
                            0x1p-1074 * 3,
                            0x1p-54,
                            0x1p-30,
                            0.25,
                            0.5,
                            1.0,
                            std::numbers::sqrt2,
                            std::numbers::pi / 4,
                            std::numbers::pi / 2,
                            std::numbers::pi,
                            22.0,
                            709.782712893384,
                            745.133219101941,
                            1e22,
                            0x1p1023,
                            kMax,
                            kInfinity,
                            kNaN})
    for (const double x : {size, -size}) {
      expect_all_near(x);
      for (const double beside : {std::nextafter(x, kInfinity), std::nextafter(x, -kInfinity)})
        expect_all_near(beside);
    }
  // The double that comes closest to a multiple of pi/2 (Muller, "Elementary Functions", 2016).
  expect_all_near(std::ldexp(6381956970095103.0, 797));
}

TEST(Elementary, KeepsTheSignOfZero) {
  for (const double zero : {0.0, -0.0}) {
    EXPECT_EQ(std::signbit(elementary::sin(zero)), std::signbit(zero));
    EXPECT_EQ(std::signbit(elementary::tanh(zero)), std::signbit(zero));
    EXPECT_EQ(std::signbit(elementary::expm1(zero)), std::signbit(zero));
    EXPECT_FALSE(std::signbit(elementary::log(1)));
  }
}

TEST(Elementary, PowersAreTheNearestNumberOrItsNeighbour) {
  testing::law("powers", 100'000, [](Draw& draw) {
    const Rng rng = draw.rng("power");
    const double x = std::exp2(80 * rng.uniform(0) - 40), y = 60 * rng.uniform(1) - 30;
    expect_near(elementary::pow(x, y),
                std::pow(static_cast<long double>(x), static_cast<long double>(y)), "pow", x, y);
  });
}

TEST(Elementary, PowersOfSpecialNumbersAreThoseOfIeee) {
  const double numbers[] = {
      0,    kLeast,    0.5, std::nextafter(1.0, 0.0), 1, std::nextafter(1.0, 2.0), 1.5, 10000,
      kMax, kInfinity, kNaN};
  for (const double x : numbers)
    for (const double size : numbers)
      for (const double y : {size, -size})
        expect_near(elementary::pow(x, y),
                    std::pow(static_cast<long double>(x), static_cast<long double>(y)), "pow", x,
                    y);
  EXPECT_TRUE(std::isnan(elementary::pow(-2, 2)));  // a choice: nothing here needs one
}

TEST(Elementary, WholePowersAreExact) {
  for (int k = -1074; k < 1024; ++k) {
    EXPECT_EQ(elementary::exp2(k), std::ldexp(1.0, k));
    EXPECT_EQ(elementary::log2(std::ldexp(1.0, k)), k);
  }
  for (int n = 0; n < 13; ++n) EXPECT_EQ(elementary::pow(17, n), std::pow(17.0L, n));
}

// These bits are the contract: a machine or a compiler that gives others breaks every promise of
// equal results.
TEST(Elementary, GivesTheseBits) {
  EXPECT_EQ(elementary::exp(1), 0x1.5bf0a8b145769p+1);
  EXPECT_EQ(elementary::log(10), 0x1.26bb1bbb55516p+1);
  EXPECT_EQ(elementary::sin(1e22), -0x1.b453ab76bf397p-1);
  EXPECT_EQ(elementary::cos(1), 0x1.14a280fb5068cp-1);
  EXPECT_EQ(elementary::pow(10000, 0.3), 0x1.fb2a734897866p+3);
  EXPECT_EQ(elementary::tanh(0.5), 0x1.d9353d7568af3p-2);
}

}  // namespace
}  // namespace regard
