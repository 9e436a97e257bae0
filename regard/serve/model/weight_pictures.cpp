#include "regard/serve/model/weight_pictures.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "regard/base/base64.h"
#include "regard/trace/pooled_weight.h"

namespace regard {
namespace {

constexpr float kLevels = 127;

/// round(127 x / largest): infinity is the last level, NaN is 0.
char level_of(float value, float step) {
  if (std::isnan(value) || step == 0) return 0;
  return static_cast<char>(std::lround(std::clamp(value / step, -kLevels, kLevels)));
}

/// Enough to draw: a level for each number, and the step between two levels.
std::string picture_json(const std::string& name, const PooledWeight& pooled) {
  float largest = 0;
  for (const float value : pooled.values)
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  const float step = largest / kLevels;
  std::string bytes;
  for (const float value : pooled.values) bytes.push_back(level_of(value, step));
  return nlohmann::ordered_json{{"schema", 1},
                                {"parameter", name},
                                {"shape", {pooled.matrix_rows, pooled.matrix_cols}},
                                {"rows", pooled.rows},
                                {"cols", pooled.cols},
                                {"dtype", "i8"},
                                {"scale", step},
                                {"data", base64(bytes)}}
      .dump();
}

}  // namespace

std::string WeightPictures::picture(const std::string& name, Index size) {
  const std::lock_guard lock(mutex_);
  const auto same = [&](const Picture& each) { return each.name == name && each.size == size; };
  const auto found = std::ranges::find_if(kept_, same);
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front().json;
  }
  kept_.push_front({name, size, picture_json(name, pooled_weight(file_, name, size))});
  std::string json = kept_.front().json;
  held_ += kept_.front().bytes();
  for (; held_ > kMaxBytes; kept_.pop_back()) held_ -= kept_.back().bytes();
  return json;
}

std::size_t WeightPictures::held_bytes() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

}  // namespace regard
