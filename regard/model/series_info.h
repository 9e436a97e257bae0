#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "regard/series/standardise.h"

namespace regard {

/// What a model that continues series knows of those that it has learned from.
struct SeriesInfo {
  std::vector<std::string> names{};
  std::vector<Scale> scales{};  ///< of each, over the train part
  std::string step;             ///< from a moment to the next, as "1 hour"
  Index period = 1;             ///< after how many steps they tend to come again
  RowSplit split{};

  bool operator==(const SeriesInfo&) const = default;
};

nlohmann::ordered_json to_json(const SeriesInfo& info);

/// The same again. Throws Error(input) that begins with `where` for what cannot be one.
SeriesInfo series_info_from(const nlohmann::json& json, const std::string& where);

/// The series of the model, in its order, from a table that may have more. Throws Error(input) for
/// one that lacks a series or has another step.
SeriesTable chosen_series(SeriesTable table, const SeriesInfo& info);

}  // namespace regard
