#include "regard/base/rng.h"

#include <cmath>
#include <numbers>

#include "regard/base/elementary.h"

namespace regard {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

// Counter words 2 and 3 keep draws, forks by name and forks by number apart under one key.
enum class Purpose : std::uint32_t { draw = 0, name = 1, number = 2 };

std::array<std::uint32_t, 4> words(std::uint64_t low, Purpose purpose) {
  return {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), 0,
          static_cast<std::uint32_t>(purpose)};
}

std::uint64_t joined(const std::array<std::uint32_t, 4>& block) {
  return block[0] | static_cast<std::uint64_t>(block[1]) << 32;
}

__extension__ using Wide = unsigned __int128;

// 53 bits to [0, 1).
double unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::uint64_t key,
                                    const std::array<std::uint32_t, 4>& counter) {
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  auto c = counter;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = static_cast<std::uint64_t>(kMultiplier0) * c[0];
    const std::uint64_t p1 = static_cast<std::uint64_t>(kMultiplier1) * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  return c;
}

Rng Rng::fork(std::string_view name) const {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return Rng(joined(philox(key_, words(hash, Purpose::name))));
}

Rng Rng::fork(std::uint64_t number) const {
  return Rng(joined(philox(key_, words(number, Purpose::number))));
}

std::uint64_t Rng::bits(std::uint64_t i) const {
  return joined(philox(key_, words(i, Purpose::draw)));
}

double Rng::uniform(std::uint64_t i) const {
  return unit(bits(i));
}

double Rng::normal(std::uint64_t i) const {
  // Box-Muller; 1 - u lies in (0, 1], so the logarithm is finite.
  const auto block = philox(key_, words(i, Purpose::draw));
  const double radius = std::sqrt(-2 * elementary::log(1 - unit(joined(block))));
  const double turn = unit(block[2] | static_cast<std::uint64_t>(block[3]) << 32);
  return radius * elementary::cos(2 * std::numbers::pi * turn);
}

std::uint64_t Rng::below(std::uint64_t i, std::uint64_t n) const {
  return static_cast<std::uint64_t>(static_cast<Wide>(bits(i)) * n >> 64);
}

}  // namespace regard
