#include "regard/backend/cpu/gru_steps.h"

#include <algorithm>

namespace regard::kernel {

std::vector<Index> group_bounds(const TimeSteps& time, Index threads) {
  constexpr Index kAbout = 84;  // sequences of a group, by measurement: six tiles of AVX-512
  constexpr Index kLeast = 4;
  const Index B = time.sequences;
  const Index rounds = std::max<Index>(1, (B + threads * kAbout - 1) / (threads * kAbout));
  Index left = std::clamp<Index>(B / kLeast, 1, threads * rounds);  // groups
  Index rows = time.begin(time.steps);                              // of those groups
  std::vector<Index> bounds{0};
  Index length = time.steps, taken = 0;  // of sequence p, and rows of its group before it
  for (Index p = 0; p < B; ++p) {
    while (length > 0 && time.going(length - 1) <= p) --length;
    const bool enough = left > 1 && taken * left >= rows;
    if (enough && p - bounds.back() >= kLeast && B - p >= kLeast) {
      bounds.push_back(p);
      rows -= taken;
      taken = 0;
      --left;
    }
    taken += length;
  }
  bounds.push_back(B);
  return bounds;
}

}  // namespace regard::kernel
