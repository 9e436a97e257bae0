#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "regard/measure/confusion.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// What a test on such examples, "texts" or "pictures", has found, as text: accuracy beside that of
/// always saying the commonest label, precision, recall and F1 of each label, and which labels are
/// taken for which.
std::string as_text(const Confusion& found, const std::vector<std::string>& labels,
                    std::string_view examples, const Terminal& terminal);

nlohmann::ordered_json as_json(const Confusion& found, const std::vector<std::string>& labels,
                               std::string_view examples);

/// A row for each label: of those that have it, the share that each label was said of.
HeatMap picture_of(const Confusion& found, const std::vector<std::string>& labels,
                   std::string_view examples);

/// "94.40 %".
std::string per_cent(double share);

}  // namespace regard
