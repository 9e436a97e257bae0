#include "regard/train/progress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "regard/base/check.h"
#include "regard/config/json.h"

namespace regard {
namespace {

using Json = nlohmann::json;

/// A part of the object, which is left without it.
Json taken(Json& from, const char* key, const std::string& where) {
  if (!from.is_object() || !from.contains(key))
    fail(Fault::input, where, ": not the progress of a training: key \"", key, "\" is missing");
  Json part = std::move(from[key]);
  from.erase(key);
  return part;
}

Kept kept_from(Json from, const std::string& where) {
  const Json hash = taken(from, "hash", where);
  if (!hash.is_number_unsigned())
    fail(Fault::input, where, ": \"hash\": expected a whole number of at least 0");
  Kept kept{.hash = hash.get<std::uint64_t>()};
  std::vector<FieldRef> fields = fields_of(kept);
  if (!from.contains("loss")) {  // older checkpoints have none
    kept.score.loss = std::numeric_limits<double>::quiet_NaN();
    std::erase_if(fields, [](const FieldRef& field) { return field.field.name == "loss"; });
  }
  read_json(from, fields, where, Absent::is_bad);
  return kept;
}

/// Nothing happens more often than once per step, and nothing is ahead of the last step.
void check_counts(const TrainProgress& progress, const std::string& where) {
  const auto at_most = [&](const char* key, Index count, Index limit, const char* what) {
    if (count > limit)
      fail(Fault::input, where, ": \"", key, "\" is ", count, ", but only ", limit, " ", what);
  };
  const auto by_steps = [&](const char* key, Index count) {
    at_most(key, count, progress.step, "steps are done");
  };
  by_steps("epoch", progress.epoch);
  by_steps("without_better", progress.without_better);
  by_steps("validated_at", progress.validated_at);
  by_steps("window: updates", progress.window.updates);
  by_steps("watch: seen", progress.watch.seen);
  for (const Kept& kept : progress.best) by_steps("best: step", kept.step);
  at_most("window: tokens", progress.window.tokens, progress.tokens, "tokens were learned from");
  if ((progress.window.updates == 0) != (progress.window.tokens == 0))
    fail(Fault::input, where, ": \"window\" has ", progress.window.updates, " steps of ",
         progress.window.tokens, " tokens");
}

void check_order(const std::vector<Kept>& best, const std::string& where) {
  std::set<Index> steps;
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (!steps.insert(best[i].step).second)
      fail(Fault::input, where, ": \"best\" has step ", best[i].step, " twice");
    if (i > 0 && best[i].score.is_better_than(best[i - 1].score))
      fail(Fault::input, where, ": \"best\" is not in order, the best first");
  }
}

}  // namespace

bool DivergenceDetector::diverged(double loss) {
  constexpr double kSlow = 0.01, kFast = 0.2;
  constexpr Index kSettle = 100;
  if (seen++ == 0) start = slow = fast = loss;
  const double deviation = std::sqrt(variance);
  // A jump counts as no more than rare noise, or the variance would rise with it and hide it.
  const double noise = std::min(std::abs(loss - fast), 3 * deviation + 0.1);
  variance += kSlow * (noise * noise - variance);
  fast += kFast * (loss - fast);
  const bool far =
      seen > kSettle && (fast > slow + std::max(5 * deviation, 1.0) || fast > start + 1);
  slow += kSlow * (loss - slow);
  return far;
}

// Older runs do not say. What they had most of is what it still is, except of labels: that was the
// accuracy at first.
bool TrainProgress::is_judged_by(std::string_view key) const {
  return quality ? *quality == key : key != "mean_f1";
}

void TrainProgress::judge_by(std::string_view key) {
  if (!is_judged_by(key)) {
    best.clear();
    without_better = 0;
  }
  quality = key;
}

std::string TrainProgress::json() const {
  nlohmann::ordered_json kept = nlohmann::json::array();
  for (const Kept& each : best) {
    nlohmann::ordered_json one{{"step", each.step}, {"score", each.score.value}};
    if (!std::isnan(each.score.loss)) one["loss"] = each.score.loss;
    one["hash"] = each.hash;
    kept.push_back(std::move(one));
  }
  nlohmann::ordered_json all{{"step", step},
                             {"epoch", epoch},
                             {"batch", batch},
                             {"tokens", tokens},
                             {"window",
                              {{"loss", window.loss},
                               {"surprisal", window.surprisal},
                               {"tokens", window.tokens},
                               {"updates", window.updates},
                               {"gradient", window.gradient}}},
                             {"watch",
                              {{"start", watch.start},
                               {"slow", watch.slow},
                               {"fast", watch.fast},
                               {"variance", watch.variance},
                               {"seen", watch.seen}}},
                             {"best", kept},
                             {"without_better", without_better},
                             {"validated_at", validated_at},
                             {"metrics_bytes", metrics_bytes},
                             {"finished", finished}};
  if (quality) all["quality"] = *quality;
  return all.dump(2);
}

TrainProgress TrainProgress::of_json(const std::string& text, const std::string& where) {
  Json from = parse_json(text, where);
  TrainProgress to;
  read_json(taken(from, "window", where), to.window, where + ": window", Absent::is_bad);
  read_json(taken(from, "watch", where), to.watch, where + ": watch", Absent::is_bad);
  const Json best = taken(from, "best", where);
  if (!best.is_array()) fail(Fault::input, where, ": \"best\": expected a list in []");
  for (const Json& each : best) to.best.push_back(kept_from(each, where + ": best"));
  if (from.contains("quality")) {
    const Json quality = taken(from, "quality", where);
    if (!quality.is_string()) fail(Fault::input, where, ": \"quality\": expected text in quotes");
    to.quality = quality.get<std::string>();
  }
  read_json(from, to, where, Absent::is_bad);
  check_counts(to, where);
  check_order(to.best, where);
  return to;
}

}  // namespace regard
