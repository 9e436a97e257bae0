#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"
#include "regard/config/field.h"

namespace regard {

/// More of anything than a training counts; a double holds it exactly.
inline constexpr double kMaxCounted = 1e15;

/// Sums over the steps since the last line of metrics.
struct LossWindow {
  double loss = 0, surprisal = 0;  ///< over target tokens
  Index tokens = 0, updates = 0;
  double gradient = 0;  ///< sum of lengths

  void each(auto&& visit) {
    visit(Field{"loss", "sum over target tokens"}, loss);
    visit(Field{"surprisal", "sum over target tokens"}, surprisal);
    visit(Field{"tokens", "target tokens", 0, kMaxCounted}, tokens);
    visit(Field{"updates", "steps", 0, kMaxCounted}, updates);
    visit(Field{"gradient", "sum of lengths", 0}, gradient);
  }
};

/// Detects divergence: the short running mean of the loss is far above the long one, or above the
/// first loss.
struct DivergenceDetector {
  double start = 0;
  double slow = 0, fast = 0;  ///< running means of the loss per token
  double variance = 0;        ///< around the fast one
  Index seen = 0;

  /// The loss per token of one more step; true if training has diverged.
  bool diverged(double loss);

  void each(auto&& visit) {
    visit(Field{"start", "the first loss"}, start);
    visit(Field{"slow", "long mean"}, slow);
    visit(Field{"fast", "short mean"}, fast);
    visit(Field{"variance", "around the short mean", 0}, variance);
    visit(Field{"seen", "steps", 0, kMaxCounted}, seen);
  }
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

  /// All but the hash, which no setting could hold.
  void each(auto&& visit) {
    visit(Field{"step", "step", 0, kMaxCounted}, step);
    visit(Field{"score", "higher is better"}, score.value);
    visit(Field{"loss", "of equals the lower is better"}, score.loss);
  }
};

/// How far a training is: all that a resumed run needs besides the weights.
struct TrainProgress {
  Index step = 0;    ///< steps done
  Index epoch = 0;   ///< from 0
  Index batch = 0;   ///< batches of the epoch done
  Index tokens = 0;  ///< target tokens learned from
  LossWindow window;
  DivergenceDetector watch;
  std::vector<Kept> best;                ///< best first
  std::optional<std::string> quality{};  ///< whose values those of `best` are (judge_by)
  Index without_better = 0;
  Index validated_at = -1;  ///< step
  Index metrics_bytes = 0;
  bool finished = false;

  /// Whether the scores in `best` are of this quality: "bleu", or the loss where it is empty.
  bool is_judged_by(std::string_view key) const;

  /// From now on scores are of this quality. Those of another cannot be compared with them, so the
  /// best and what was counted since then are forgotten.
  void judge_by(std::string_view key);

  std::string json() const;

  /// Throws Error(input) naming `where` and the key for a number that no training can have: out of
  /// its range, or more than the steps done allow.
  static TrainProgress of_json(const std::string& text, const std::string& where);

  /// Its own numbers; the groups above have theirs.
  void each(auto&& visit) {
    visit(Field{"step", "steps done", 0, kMaxCounted}, step);
    visit(Field{"epoch", "from 0", 0, kMaxCounted}, epoch);
    visit(Field{"batch", "batches of the epoch done", 0, kMaxCounted}, batch);
    visit(Field{"tokens", "target tokens learned from", 0, kMaxCounted}, tokens);
    visit(Field{"without_better", "validations since the best", 0, kMaxCounted}, without_better);
    visit(Field{"validated_at", "step; -1: never", -1, kMaxCounted}, validated_at);
    visit(Field{"metrics_bytes", "length of metrics.jsonl", 0, kMaxCounted}, metrics_bytes);
    visit(Field{"finished", "nothing is left to do"}, finished);
  }
};

}  // namespace regard
