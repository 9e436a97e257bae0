#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// Sums over the updates since the last line of metrics.
struct LossWindow {
  double loss = 0, surprisal = 0;  ///< over target tokens
  Index tokens = 0, updates = 0;
  double gradient = 0;  ///< sum of lengths
};

/// Tells a loss that has left its course: its short mean stands far above its long one, or above
/// where it began.
struct LossWatch {
  double start = 0;
  double slow = 0, fast = 0;  ///< running means of the loss per token
  double variance = 0;        ///< around the fast one
  Index seen = 0;

  /// One more update's loss per token; true when training has diverged.
  bool diverged(double loss);
};

/// How good a validation was.
struct ValidationScore {
  double value = 0;  ///< higher is better: BLEU, or else the loss turned around
  double loss = 0;   ///< of equals, as at BLEU 0 and 100, the lower is better; NaN: not known

  bool is_better_than(const ValidationScore& other) const {
    return value > other.value || (value == other.value && loss < other.loss);
  }
};

/// A validation whose weights are kept.
struct Kept {
  Index step = 0;
  ValidationScore score{};
  std::uint64_t hash = 0;  ///< of the file
};

/// Where a training stands, beside the weights: all that a resumed run must know.
struct TrainProgress {
  Index step = 0;    ///< updates done
  Index epoch = 0;   ///< from 0
  Index batch = 0;   ///< batches of the epoch done
  Index tokens = 0;  ///< target tokens learned from
  LossWindow window;
  LossWatch watch;
  std::vector<Kept> best;  ///< best first
  Index without_better = 0;
  Index validated_at = -1;  ///< update
  Index metrics_bytes = 0;
  bool finished = false;

  std::string json() const;
  static TrainProgress of_json(const std::string& text, const std::string& where);
};

}  // namespace regard
