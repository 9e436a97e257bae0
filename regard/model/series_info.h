#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "regard/series/windows.h"

namespace regard {

/// What a model that continues series knows of those that it has learned from.
struct SeriesInfo {
  std::vector<std::string> names{};
  std::vector<Scale> scales{};       ///< of each, over the train part
  std::string step;                  ///< from a moment to the next, as "1 hour"
  Index period = 1;                  ///< after how many steps they tend to come again
  std::optional<TimeStamp> first{};  ///< of row 0 of the split; models of before have none
  RowSplit split{};

  bool operator==(const SeriesInfo&) const = default;
};

nlohmann::ordered_json to_json(const SeriesInfo& info);

/// The same again. Throws Error(input) that begins with `where` for what cannot be one.
SeriesInfo series_info_from(const nlohmann::json& json, const std::string& where);

/// The series of the model, in its order, from a table that may have more. Throws Error(input) for
/// one that lacks a series or has another step.
SeriesTable chosen_series(SeriesTable table, const SeriesInfo& info);

/// The split as rows of a table that may begin before that of the model, and end anywhere; nothing
/// if the moment at which train begins is not in it. Rows are the same where the model names none.
std::optional<RowSplit> split_in(const SeriesTable& table, const SeriesInfo& info);

/// The windows of a part of such a split: those that there were in training. Rows before train were
/// not in its table, so none begins in them.
Windows windows_of(const StandardSeries& series, const RowSplit& split, RowRange part,
                   WindowSize size, std::string_view name);

}  // namespace regard
