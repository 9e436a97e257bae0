#include "regard/train/progress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/config/json.h"

namespace regard {

bool LossWatch::diverged(double loss) {
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

std::string TrainProgress::json() const {
  nlohmann::ordered_json kept = nlohmann::json::array();
  for (const Kept& each : best) {
    nlohmann::ordered_json one{{"step", each.step}, {"score", each.score.value}};
    if (!std::isnan(each.score.loss)) one["loss"] = each.score.loss;
    one["hash"] = each.hash;
    kept.push_back(std::move(one));
  }
  return nlohmann::ordered_json{{"step", step},
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
                                {"finished", finished}}
      .dump(2);
}

TrainProgress TrainProgress::of_json(const std::string& text, const std::string& where) {
  const nlohmann::json from = parse_json(text, where);
  TrainProgress to;
  try {
    from.at("step").get_to(to.step);
    from.at("epoch").get_to(to.epoch);
    from.at("batch").get_to(to.batch);
    from.at("tokens").get_to(to.tokens);
    const auto& window = from.at("window");
    window.at("loss").get_to(to.window.loss);
    window.at("surprisal").get_to(to.window.surprisal);
    window.at("tokens").get_to(to.window.tokens);
    window.at("updates").get_to(to.window.updates);
    window.at("gradient").get_to(to.window.gradient);
    const auto& watch = from.at("watch");
    watch.at("slow").get_to(to.watch.slow);
    watch.at("start").get_to(to.watch.start);
    watch.at("fast").get_to(to.watch.fast);
    watch.at("variance").get_to(to.watch.variance);
    watch.at("seen").get_to(to.watch.seen);
    for (const auto& kept : from.at("best")) {
      constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
      const double loss = kept.value("loss", kUnknown);  // older checkpoints have none
      to.best.push_back({kept.at("step").get<Index>(),
                         {kept.at("score").get<double>(), loss},
                         kept.at("hash").get<std::uint64_t>()});
    }
    from.at("without_better").get_to(to.without_better);
    from.at("validated_at").get_to(to.validated_at);
    from.at("metrics_bytes").get_to(to.metrics_bytes);
    from.at("finished").get_to(to.finished);
  } catch (const nlohmann::json::exception& problem) {
    fail(Fault::input, where, ": not the progress of a training: ", problem.what());
  }
  return to;
}

}  // namespace regard
