// What a model of series knows of them, as it stands in config.json.
#include "regard/model/series_info.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "tests/series/series_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

/// An error of the file, which says so.
template <class F>
void expect_input_error(const std::string& part, const F& f) {
  try {
    f();
    ADD_FAILURE() << "no Error: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

SeriesInfo some_info(Draw& draw) {
  SeriesInfo info{.step = "1 hour", .period = draw.integer(1, 100)};
  if (draw.coin()) info.first = parse_time_stamp("2024-01-01 00:00");
  const Index count = draw.integer(1, 4);
  for (Index i = 0; i < count; ++i) {
    info.names.push_back("s" + std::to_string(i));
    const auto at = static_cast<std::uint64_t>(i);
    info.scales.push_back({draw.rng("mean").normal(at), 0.1 + draw.rng("size").uniform(at)});
  }
  info.split.train = {0, draw.integer(1, 100)};
  info.split.valid = {info.split.train.end, info.split.train.end + draw.integer(1, 100)};
  info.split.test = {info.split.valid.end, info.split.valid.end + draw.integer(1, 100)};
  return info;
}

TEST(SeriesInfo, IsReadAsItWasWritten) {
  testing::law("series in JSON", 50, [](Draw& draw) {
    const SeriesInfo info = some_info(draw);
    const auto json = nlohmann::json::parse(to_json(info).dump());
    EXPECT_EQ(series_info_from(json, "config.json"), info);
  });
}

TEST(SeriesInfo, RefusesWhatCannotBeOne) {
  Draw draw(Rng(1), 0);
  SeriesInfo info = some_info(draw);
  info.first = parse_time_stamp("2024-01-01");
  const nlohmann::json good = nlohmann::json::parse(to_json(info).dump());
  for (const auto& [key, value] : good.items()) {
    nlohmann::json bad = good;
    bad.erase(key);
    if (key != "first")
      expect_input_error("config.json: key \"" + key + "\" is missing",
                         [&] { series_info_from(bad, "config.json"); });
    for (const nlohmann::json& wrong :
         {nlohmann::json(-1), nlohmann::json(nullptr), nlohmann::json::array({-1, 7, "x"}),
          nlohmann::json::object()}) {
      bad[key] = wrong;
      expect_input_error("config.json: \"", [&] { series_info_from(bad, "config.json"); });
    }
  }
  nlohmann::json bad = good;
  bad["deviations"][0] = 0;
  expect_input_error("a number above 0 per name", [&] { series_info_from(bad, "c"); });
  bad = good;
  bad["valid"][0] = good["valid"][0].get<Index>() + 1;
  expect_input_error("the first where the part before ends", [&] { series_info_from(bad, "c"); });
}

TEST(SeriesInfo, FindsItsRowsInATableThatBeginsEarlier) {
  const SeriesTable table = testing::table_from("2024-01-01 00:00", 3600, {std::vector<double>(9)});
  SeriesInfo info{.step = "1 hour", .first = parse_time_stamp("2024-01-01 02:00")};
  info.split = {.train = {0, 3}, .valid = {3, 4}, .test = {4, 6}};
  EXPECT_EQ(split_in(table, info), (RowSplit{{2, 5}, {5, 6}, {6, 8}}));
  info.first = parse_time_stamp("2023-12-31 23:00");
  EXPECT_EQ(split_in(table, info), std::nullopt) << "train is not there whole";
  info.first.reset();
  EXPECT_EQ(split_in(table, info), info.split) << "a model of before";
}

TEST(SeriesInfo, ChoosesTheSeriesByName) {
  const SeriesTable table =
      testing::table_from("2024-01-01 00:00", 3600, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  const SeriesTable chosen = chosen_series(table, {.names = {"s2", "s0"}, .step = "1 hour"});
  EXPECT_EQ(chosen.names, (std::vector<std::string>{"s2", "s0"}));
  EXPECT_EQ(chosen.columns, (std::vector<std::vector<double>>{{7, 8, 9}, {1, 2, 3}}));
  expect_input_error("no series is called 'other'",
                     [&] { chosen_series(table, {.names = {"other"}, .step = "1 hour"}); });
  expect_input_error("a row every 1 hour, but the model has learned from a row every 1 day",
                     [&] { chosen_series(table, {.names = {"s0"}, .step = "1 day"}); });
}

}  // namespace
}  // namespace regard
