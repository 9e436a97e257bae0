#include "regard/cli/train/curves.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "regard/base/file.h"
#include "regard/config/json.h"

namespace regard {

LinePlot loss_curves(const std::string& metrics_path) {
  Curve train{.name = "training (smoothed targets)"}, valid{.name = "validation"};
  std::istringstream lines(read_file(metrics_path));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json record = parse_json(line, metrics_path);
    Curve* curve = nullptr;
    if (record.value("type", "") == "train") curve = &train;
    if (record.value("type", "") == "valid") curve = &valid;
    if (!curve) continue;
    curve->x.push_back(record.value("step", 0.0));
    curve->y.push_back(record.value("loss", 0.0));
  }
  return {
      .title = "Loss", .x_axis = "update", .y_axis = "nats per token", .curves = {train, valid}};
}

}  // namespace regard
