#pragma once

#include <string>

#include "regard/viewer/line_plot.h"

namespace regard {

/// Loss over updates, as metrics.jsonl of a run tells it: in training, and on validation data. A
/// line that is no record costs a warning.
LinePlot loss_curves(const std::string& metrics_path);

}  // namespace regard
