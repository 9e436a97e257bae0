#include "regard/model/series_info.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

using Json = nlohmann::json;

Json rows_json(RowRange rows) {
  return Json::array({rows.begin, rows.end});
}

const Json& at(const Json& json, const char* key, const std::string& where) {
  if (!json.is_object() || !json.contains(key))
    fail(Fault::input, where, ": key \"", key, "\" is missing");
  return json[key];
}

[[noreturn]] void refuse(const std::string& where, const char* key, const char* expected) {
  fail(Fault::input, where, ": \"", key, "\": expected ", expected);
}

RowRange rows_from(const Json& json, const char* key, Index begin, const std::string& where) {
  const Json& rows = at(json, key, where);
  constexpr Index kMost = Index{1} << 40;
  if (rows.is_array() && rows.size() == 2 && rows[0].is_number_integer() &&
      rows[1].is_number_integer() && rows[0].get<Index>() == begin &&
      rows[1].get<Index>() > begin && rows[1].get<Index>() < kMost)
    return {begin, rows[1].get<Index>()};
  refuse(where, key, "two rows, the first where the part before ends");
}

std::vector<double> numbers_from(const Json& json, const char* key, std::size_t count, bool above_0,
                                 const std::string& where) {
  const Json& list = at(json, key, where);
  const auto fits = [&](const Json& each) {
    return each.is_number() && std::isfinite(each.get<double>()) &&
           (!above_0 || each.get<double>() > 0);
  };
  if (!list.is_array() || list.size() != count || !std::ranges::all_of(list, fits))
    refuse(where, key, above_0 ? "a number above 0 per name" : "a number per name");
  return list.get<std::vector<double>>();
}

}  // namespace

nlohmann::ordered_json to_json(const SeriesInfo& info) {
  std::vector<double> means, deviations;
  for (const Scale& scale : info.scales) {
    means.push_back(scale.mean);
    deviations.push_back(scale.deviation);
  }
  nlohmann::ordered_json json{{"names", info.names},
                              {"means", means},
                              {"deviations", deviations},
                              {"step", info.step},
                              {"period", info.period}};
  if (info.first) json["first"] = text_of(*info.first);
  json["train"] = rows_json(info.split.train);
  json["valid"] = rows_json(info.split.valid);
  json["test"] = rows_json(info.split.test);
  return json;
}

SeriesInfo series_info_from(const Json& json, const std::string& where) {
  SeriesInfo info;
  const Json &names = at(json, "names", where), &step = at(json, "step", where),
             &period = at(json, "period", where);
  const auto is_text = [](const Json& each) { return each.is_string(); };
  if (!names.is_array() || names.empty() || !std::ranges::all_of(names, is_text))
    refuse(where, "names", "the names of the series");
  info.names = names.get<std::vector<std::string>>();
  if (!step.is_string()) refuse(where, "step", "text, as \"1 hour\"");
  info.step = step.get<std::string>();
  if (!period.is_number_integer() || period.get<Index>() < 1)
    refuse(where, "period", "a whole number above 0");
  info.period = period.get<Index>();
  if (json.contains("first")) {
    if (json["first"].is_string()) info.first = parse_time_stamp(json["first"].get<std::string>());
    if (!info.first) refuse(where, "first", "the time stamp of the first row, as \"2016-07-01\"");
  }
  const std::vector<double> means = numbers_from(json, "means", info.names.size(), false, where),
                            deviations =
                                numbers_from(json, "deviations", info.names.size(), true, where);
  for (std::size_t i = 0; i < means.size(); ++i) info.scales.push_back({means[i], deviations[i]});
  info.split.train = rows_from(json, "train", 0, where);
  info.split.valid = rows_from(json, "valid", info.split.train.end, where);
  info.split.test = rows_from(json, "test", info.split.valid.end, where);
  return info;
}

SeriesTable chosen_series(SeriesTable table, const SeriesInfo& info) {
  if (table.time.step_text() != info.step)
    fail(Blame(Fault::input).at(table.path), table.path, ": a row every ", table.time.step_text(),
         ", but the model has learned from a row every ", info.step);
  std::vector<std::vector<double>> columns;
  for (const std::string& name : info.names) {
    const auto found = std::ranges::find(table.names, name);
    if (found == table.names.end())
      fail(Blame(Fault::input).at(table.path, 1), table.path, ":1: no series is called '", name,
           "', which the model has learned from; it needs all of its ", info.names.size());
    columns.push_back(table.columns[static_cast<std::size_t>(found - table.names.begin())]);
  }
  table.names = info.names;
  table.columns = std::move(columns);
  return table;
}

std::optional<RowSplit> split_in(const SeriesTable& table, const SeriesInfo& info) {
  Index earlier = 0;
  if (info.first) {
    const std::optional<Index> row = table.time.row_of(*info.first, table.rows());
    if (!row) return {};
    earlier = *row;
  }
  const auto moved = [&](RowRange rows) {
    return RowRange{rows.begin + earlier, rows.end + earlier};
  };
  return RowSplit{moved(info.split.train), moved(info.split.valid), moved(info.split.test)};
}

Windows windows_of(const StandardSeries& series, const RowSplit& split, RowRange part,
                   WindowSize size, std::string_view name) {
  const Index first = split.train.begin + size.context;
  return {series, {std::clamp(first, part.begin, part.end), part.end}, size, name};
}

}  // namespace regard
