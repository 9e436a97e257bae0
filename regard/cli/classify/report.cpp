#include "regard/cli/classify/report.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "regard/cli/text_table.h"

namespace regard {
namespace {

double guess(const Confusion& found) {
  return found.total() == 0
             ? 0
             : static_cast<double>(found.commonest()) / static_cast<double>(found.total());
}

std::string table_of(const Confusion& found, const std::vector<std::string>& labels,
                     std::string_view examples, const Terminal& terminal) {
  TextTable table(terminal);
  table.add({"label", std::string(examples), "said", "right", "precision", "recall", "F1"});
  for (Index i = 0; i < found.labels(); ++i) {
    const LabelQuality quality = found.of(i);
    table.add({labels[static_cast<std::size_t>(i)], fmt::format("{}", quality.texts),
               fmt::format("{}", quality.said), fmt::format("{}", quality.right),
               fmt::format("{:.3f}", quality.precision), fmt::format("{:.3f}", quality.recall),
               fmt::format("{:.3f}", quality.f1)});
  }
  return table.text();
}

}  // namespace

std::string per_cent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

std::string as_text(const Confusion& found, const std::vector<std::string>& labels,
                    std::string_view examples, const Terminal& terminal) {
  return fmt::format("accuracy {}: {} of {} {}; always the commonest label: {}\n",
                     per_cent(found.accuracy()), found.right(), found.total(), examples,
                     per_cent(guess(found))) +
         fmt::format("mean F1 of the labels {:.3f}\n\n", found.mean_f1()) +
         table_of(found, labels, examples, terminal) + "\n" +
         regard::terminal(picture_of(found, labels, examples), terminal);
}

nlohmann::ordered_json as_json(const Confusion& found, const std::vector<std::string>& labels,
                               std::string_view examples) {
  using Json = nlohmann::ordered_json;
  Json each = Json::array(), confusion = Json::array();
  for (Index i = 0; i < found.labels(); ++i) {
    const LabelQuality quality = found.of(i);
    each.push_back({{"label", labels[static_cast<std::size_t>(i)]},
                    {examples, quality.texts},
                    {"said", quality.said},
                    {"right", quality.right},
                    {"precision", quality.precision},
                    {"recall", quality.recall},
                    {"f1", quality.f1}});
    Json& row = confusion.emplace_back(Json::array());
    for (Index j = 0; j < found.labels(); ++j) row.push_back(found.count(i, j));
  }
  return {{"schema", 1},
          {examples, found.total()},
          {"right", found.right()},
          {"accuracy", found.accuracy()},
          {"commonest", guess(found)},
          {"mean_f1", found.mean_f1()},
          {"labels", std::move(each)},
          {"confusion", std::move(confusion)}};
}

HeatMap picture_of(const Confusion& found, const std::vector<std::string>& labels,
                   std::string_view examples) {
  HeatMap map;
  map.title =
      fmt::format("{} {}, accuracy {}", found.total(), examples, per_cent(found.accuracy()));
  map.row_axis = "label";
  map.col_axis = "said";
  map.range = {0, 1};
  Panel panel{.rows = found.labels(),
              .cols = found.labels(),
              .row_labels = labels,
              .col_labels = labels,
              .name = "confusion"};
  for (Index i = 0; i < found.labels(); ++i) {
    const Index texts = found.of(i).texts;
    for (Index j = 0; j < found.labels(); ++j)
      panel.values.push_back(texts == 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : static_cast<double>(found.count(i, j)) /
                                              static_cast<double>(texts));
  }
  map.panels.push_back(std::move(panel));
  return map;
}

}  // namespace regard
