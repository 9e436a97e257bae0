#include "regard/cli/train/curves.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/config/json.h"

namespace regard {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargestMetrics = std::size_t{1} << 30;

struct LossPoint {
  std::string type;
  double step, loss;
};

/// What a line of metrics says of the loss, if anything. Throws Error(input).
std::optional<LossPoint> point_of(const std::string& line, const std::string& where) {
  const Json record = parse_json(line, where);
  if (!record.is_object())
    fail(Fault::input, where, ": expected an object in {}, got ", record.type_name());
  const Json type = record.value("type", Json()), step = record.value("step", Json()),
             loss = record.value("loss", Json());
  if (!type.is_string() || !step.is_number() || !loss.is_number()) return {};
  return LossPoint{type, step, loss};
}

}  // namespace

LinePlot loss_curves(const std::string& metrics_path, const TargetUnit& unit) {
  Curve train{.name = std::string(unit.training)}, valid{.name = "validation"};
  std::istringstream lines(read_own_file(metrics_path, kLargestMetrics));
  Index number = 0, spoilt = 0;
  for (std::string line; std::getline(lines, line);) try {
      const auto point = point_of(line, metrics_path + ":" + std::to_string(++number));
      if (!point || (point->type != "train" && point->type != "valid")) continue;
      Curve& curve = point->type == "train" ? train : valid;
      curve.x.push_back(point->step);
      curve.y.push_back(point->loss);
    } catch (const Error& problem) {
      // The model is trained: a line that somebody has spoilt costs a point of a picture.
      if (spoilt++ == 0) warn(problem.what(), "; such lines are not drawn");
    }
  return {.title = "Loss",
          .x_axis = "step",
          .y_axis = std::string(unit.loss),
          .curves = {train, valid}};
}

}  // namespace regard
