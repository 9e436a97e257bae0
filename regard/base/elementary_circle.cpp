// Sine and cosine.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "regard/base/double_double.h"
#include "regard/base/elementary.h"

namespace regard::elementary {
namespace {

__extension__ using Wide = unsigned __int128;
using Word = std::uint64_t;

/// 2/pi, 64 bits a word, the first after the point first: enough for the largest exponent.
constexpr Word kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/// x = quarter pi/2 + rest, less whole turns, |rest| <= pi/4.
struct Angle {
  int quarter;  // 0 .. 3
  DoubleDouble rest;
};

/// 64 bits of 2/pi from a bit on.
Word bits_from(int bit) {
  const Wide both = static_cast<Wide>(kTwoOverPi[bit / 64]) << 64 | kTwoOverPi[bit / 64 + 1];
  return static_cast<Word>(both >> (64 - bit % 64));
}

/// A fraction below 1/2 in three words, the last first, as a sum of two numbers.
DoubleDouble fraction(std::array<Word, 3> words) {
  int shift = 0;  // no number comes so close to a multiple of pi/2 that two words are all 0
  if (words[2] == 0) {
    words = {0, words[0], words[1]};
    shift = 64;
  }
  const int zeros = std::countl_zero(words[2]);
  Wide top = static_cast<Wide>(words[2]) << 64 | words[1];
  if (zeros > 0) top = top << zeros | words[0] >> (64 - zeros);
  // Two times 53 bits, both exact.
  const auto high = static_cast<double>(static_cast<Word>(top >> 75));
  const auto low = static_cast<double>(static_cast<Word>(top << 53 >> 75));
  const double unit = std::bit_cast<double>(static_cast<Word>(1023 - 53 - shift - zeros) << 52);
  return ordered_sum(high * unit, low * unit * 0x1p-53);
}

/// Multiplies x with only those bits of 2/pi that matter: bits before them give whole turns, bits
/// after them less than 2^-137.   REQUIRES x finite, |x| >= 1/2
Angle reduced(double x) {
  constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  constexpr Word kImplied = Word{1} << 52;
  const auto all = std::bit_cast<Word>(x);
  const Word mantissa = (all & (kImplied - 1)) | kImplied;
  const int exponent = static_cast<int>(all >> 52 & 2047) - 1075;  // |x| = mantissa 2^exponent
  const int first = exponent > 2 ? exponent - 2 : 0;
  // mantissa times 192 bits, the last word first.
  std::array<Word, 4> product{};
  for (int i = 0; i < 3; ++i) {
    const Wide part = static_cast<Wide>(mantissa) * bits_from(first + 64 * (2 - i)) + product[i];
    product[i] = static_cast<Word>(part);
    product[i + 1] = static_cast<Word>(part >> 64);
  }
  // Moved so that two bits stand before the point: whole turns fall off.
  const int up = exponent - first + 62;  // 9 .. 64
  std::array<Word, 4> turns{};
  for (int i = 3; i >= 0; --i)
    turns[i] = static_cast<Word>(
        (static_cast<Wide>(product[i]) << 64 | (i > 0 ? product[i - 1] : 0)) >> (64 - up));
  int quarter = static_cast<int>(turns[3] >> 62);
  std::array<Word, 3> rest{};
  for (int i = 0; i < 3; ++i) rest[i] = turns[i + 1] << 2 | turns[i] >> 62;
  const bool beyond = rest[2] >> 63;  // nearer to the next multiple, from below
  if (beyond) {
    ++quarter;
    for (Word& word : rest) word = ~word;
  }
  const bool negative = x < 0;
  const DoubleDouble angle = fraction(rest) * kHalfPi * (beyond != negative ? -1.0 : 1.0);
  return {(negative ? -quarter : quarter) & 3, angle};
}

Angle angle_of(double x) {
  constexpr double kSmall = 0.5;
  return std::abs(x) < kSmall ? Angle{0, {x, 0}} : reduced(x);
}

/// r (1 - r^2/3! + r^4/5! - ...)
double sine_near_zero(const DoubleDouble& r) {
  constexpr DoubleDouble kThree{-0x1.5555555555555p-3, -0x1.5555555555555p-57};
  constexpr DoubleDouble kFive{0x1.1111111111111p-7, 0x1.1111111111111p-63};
  constexpr double kTail[] = {
      -1 / 5040.0,          1 / 362880.0,          -1 / 39916800.0,        1 / 6227020800.0,
      -1 / 1307674368000.0, 1 / 355687428096000.0, -1 / 121645100408832e3, 1 / 5109094217170944e4};
  const DoubleDouble square = r * r;
  DoubleDouble sum = ordered_sum(kFive, exact_product(square.high, polynomial(square.high, kTail)));
  sum = ordered_sum(kThree, square * sum);
  sum = ordered_sum({1, 0}, square * sum);
  return (r * sum).high;
}

/// 1 - r^2/2! + r^4/4! - ...
double cosine_near_zero(const DoubleDouble& r) {
  constexpr DoubleDouble kFour{0x1.5555555555555p-5, 0x1.5555555555555p-59};
  constexpr DoubleDouble kSix{-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65};
  constexpr double kTail[] = {1 / 40320.0,           -1 / 3628800.0,           1 / 479001600.0,
                              -1 / 87178291200.0,    1 / 20922789888000.0,     -1 / 6402373705728e3,
                              1 / 243290200817664e4, -1 / 112400072777760768e4};
  const DoubleDouble square = r * r;
  DoubleDouble sum = ordered_sum(kSix, exact_product(square.high, polynomial(square.high, kTail)));
  sum = ordered_sum(kFour, square * sum);
  sum = ordered_sum({-0.5, 0}, square * sum);
  return ordered_sum({1, 0}, square * sum).high;
}

}  // namespace

SineCosine sine_and_cosine(double x) {
  constexpr double kTiny = 0x1p-30;
  if (std::abs(x) < kTiny) return {x, 1};  // also -0
  if (!std::isfinite(x)) return {x - x, x - x};
  const auto [quarter, rest] = angle_of(x);
  const double sine = sine_near_zero(rest), cosine = cosine_near_zero(rest);
  switch (quarter) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

double sin(double x) {
  return sine_and_cosine(x).sine;
}

double cos(double x) {
  return sine_and_cosine(x).cosine;
}

}  // namespace regard::elementary
