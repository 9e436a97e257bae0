#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace regard {

/// Philox-4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"):
/// 128 random bits as a pure function of a 64-bit key and a 128-bit counter.
std::array<std::uint32_t, 4> philox(std::uint64_t key, const std::array<std::uint32_t, 4>& counter);

/// Counter-based randomness, a value. Draw i is a pure function of (key, i), so the same bits come
/// out for any thread count and after any resume. Fork by name, never share:
/// `run.fork("dropout").fork(step).fork(layer)`.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : key_(seed) {}

  Rng fork(std::string_view name) const;
  Rng fork(std::uint64_t number) const;

  std::uint64_t key() const { return key_; }
  std::uint64_t bits(std::uint64_t i) const;                    ///< 64 random bits
  double uniform(std::uint64_t i) const;                        ///< in [0, 1), 53 bits
  double normal(std::uint64_t i) const;                         ///< mean 0, variance 1
  std::uint64_t below(std::uint64_t i, std::uint64_t n) const;  ///< in 0 .. n-1; REQUIRES n > 0

 private:
  std::uint64_t key_;
};

}  // namespace regard
