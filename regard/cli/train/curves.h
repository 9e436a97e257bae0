#pragma once

#include <string>

#include "regard/train/task.h"
#include "regard/viewer/line_plot.h"

namespace regard {

/// Learning curves of a run from its metrics.jsonl: training and validation loss by step, in such
/// units. A line that is no record gives a warning.
LinePlot loss_curves(const std::string& metrics_path, const TargetUnit& unit);

}  // namespace regard
