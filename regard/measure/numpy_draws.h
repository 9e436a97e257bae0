#pragma once

#include <cstdint>
#include <optional>

namespace regard::measure {

/// The same numbers as `numpy.random.default_rng(seed).integers(n)`: PCG64 (O'Neill 2014), seeded
/// by NumPy's SeedSequence, bounded as Lemire 2019 does. sacreBLEU resamples with these, so ours
/// are the same lines. Everything else here draws from Rng.
class NumpyDraws {
 public:
  explicit NumpyDraws(std::uint32_t seed);

  /// Uniform in 0 .. n - 1. REQUIRES n > 0.
  std::uint32_t below(std::uint32_t n);

 private:
  __extension__ using Wide = unsigned __int128;

  void step();
  std::uint64_t next64();
  std::uint32_t next32();

  Wide state_ = 0, increment_ = 0;
  std::optional<std::uint32_t> upper_half_;  ///< of the last 64 bits, not yet used
};

}  // namespace regard::measure
