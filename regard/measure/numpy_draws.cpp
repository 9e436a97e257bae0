#include "regard/measure/numpy_draws.h"

#include <array>
#include <bit>
#include <utility>

namespace regard::measure {
namespace {

constexpr std::uint32_t folded(std::uint32_t x) {
  return x ^ (x >> 16);
}

/// numpy.random.SeedSequence(seed).generate_state(4, uint64).
std::array<std::uint64_t, 4> seed_sequence(std::uint32_t seed) {
  std::uint32_t key = 0x43b0d7e5;
  const auto hashed = [&key](std::uint32_t x) {
    x ^= key;
    key *= 0x931e8875;
    return folded(x * key);
  };
  std::array<std::uint32_t, 4> pool{};
  for (std::size_t i = 0; i < pool.size(); ++i) pool[i] = hashed(i == 0 ? seed : 0);
  for (std::size_t from = 0; from < pool.size(); ++from)
    for (std::size_t to = 0; to < pool.size(); ++to)
      if (from != to) pool[to] = folded(0xca01f9dd * pool[to] - 0x4973f715 * hashed(pool[from]));
  std::array<std::uint64_t, 4> words{};
  key = 0x8b51f9dd;
  for (std::size_t i = 0; i < 2 * words.size(); ++i) {
    const std::uint32_t x = pool[i % pool.size()] ^ key;
    key *= 0x58f38ded;
    words[i / 2] |= std::uint64_t{folded(x * key)} << (i % 2 * 32);
  }
  return words;
}

}  // namespace

NumpyDraws::NumpyDraws(std::uint32_t seed) {
  const auto words = seed_sequence(seed);
  increment_ = (Wide{words[2]} << 64 | words[3]) << 1 | 1;
  step();
  state_ += Wide{words[0]} << 64 | words[1];
  step();
}

void NumpyDraws::step() {
  constexpr Wide kFactor = Wide{2549297995355413924u} << 64 | 4865540595714422341u;
  state_ = state_ * kFactor + increment_;
}

std::uint64_t NumpyDraws::next64() {
  step();
  const auto upper = static_cast<std::uint64_t>(state_ >> 64);
  return std::rotr(upper ^ static_cast<std::uint64_t>(state_), static_cast<int>(upper >> 58));
}

std::uint32_t NumpyDraws::next32() {
  if (upper_half_) return *std::exchange(upper_half_, std::nullopt);
  const std::uint64_t both = next64();
  upper_half_ = static_cast<std::uint32_t>(both >> 32);
  return static_cast<std::uint32_t>(both);
}

std::uint32_t NumpyDraws::below(std::uint32_t n) {
  if (n == 1) return 0;
  std::uint64_t product = std::uint64_t{next32()} * n;
  const std::uint32_t unfair = (0u - n) % n;
  while (static_cast<std::uint32_t>(product) < unfair) product = std::uint64_t{next32()} * n;
  return static_cast<std::uint32_t>(product >> 32);
}

}  // namespace regard::measure
