#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "regard/measure/confusion.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// What a test has found, as text: accuracy beside that of always saying the commonest label,
/// precision, recall and F1 of each label, and which labels are taken for which.
std::string as_text(const Confusion& found, const std::vector<std::string>& labels,
                    const Terminal& terminal);

nlohmann::ordered_json as_json(const Confusion& found, const std::vector<std::string>& labels);

/// A row for each label: of the texts that have it, the share that each label was said of.
HeatMap picture_of(const Confusion& found, const std::vector<std::string>& labels);

}  // namespace regard
