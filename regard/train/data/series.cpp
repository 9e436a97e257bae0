#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/batch/corpus.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/series/baseline.h"
#include "regard/series/errors.h"
#include "regard/series/least_squares.h"
#include "regard/series/table.h"
#include "regard/series/windows.h"
#include "regard/train/run_data.h"
#include "regard/train/series_task.h"

namespace regard::data {
namespace {

/// Which data it is: changed data is another run.
std::string note_of(const DataSpec& data) {
  const std::string known = corpus_fingerprint({{data.train_source}, "", ""});
  return nlohmann::ordered_json{{"train", known}, {"split", data.split}}.dump();
}

WindowSize window_size(const ModelSpec& spec) {
  return {.context = spec.context, .horizon = spec.horizon};
}

class SeriesData final : public RunData {
 public:
  SeriesData(const Recipe& recipe, const RunRequest& request)
      : note_(note_of(recipe.data)),
        say_(request.say),
        table_(read_series(recipe.data.train_source)) {
    split_ = split_rows(table_, recipe.data.split);
    request.say(std::to_string(table_.series()) + " series of " + std::to_string(table_.rows()) +
                " rows, one every " + table_.time.step_text() + "; " +
                std::to_string(split_.train.size()) + " to train on, " +
                std::to_string(split_.valid.size()) + " to validate, " +
                std::to_string(split_.test.size()) + " to test" + unused_text());
    if (note_of(recipe.data) != note_)
      fail(Fault::input, table_.path,
           ": the data changed while it was read; start again when nothing writes to it");
  }

  std::string note() const override { return note_; }

  void describe(const Recipe& recipe, const RunRequest&, ModelInfo& info) const override {
    info.series = {.names = table_.names,
                   .scales = scales_of(table_, split_.train),
                   .step = table_.time.step_text(),
                   .period = recipe.data.period > 0
                                 ? recipe.data.period
                                 : seasonal_period(table_.time, recipe.model.context),
                   .first = table_.time.first,
                   .split = split_};
  }

  void set_sizes(const ModelInfo&, ModelSpec&) const override {}

  std::unique_ptr<Task> task(const Recipe& recipe, const ModelInfo& info, Model& model) override {
    const auto series = std::make_shared<const StandardSeries>(
        chosen_series(std::move(table_), *info.series), info.series->scales);
    const WindowSize size = window_size(recipe.model);
    const Windows train(*series, split_.train, size, "train"),
        valid(*series, split_.valid, size, "valid");
    auto& forecaster = dynamic_cast<ForecastModel&>(model);
    forecaster.begin_as(least_squares(train, kUsualRidge));
    say_errors(train, valid, info.series->period);
    return std::make_unique<SeriesTask>(forecaster, series, train, valid);
  }

 private:
  std::string unused_text() const {
    const Index unused = table_.rows() - split_.test.end;
    if (unused == 0) return "";
    return "; the last " + std::to_string(unused) + " are not used (data.split)";
  }

  void say_errors(const Windows& train, const Windows& valid, Index period) const {
    std::string text;
    for (const Baseline* each : usable_baselines(&train, period))
      text += fmt::format("{}{} {:.4f}{}", text.empty() ? "" : ", ", each->name,
                          errors_of(*each->make(&train, period), valid).mean_squared(),
                          each->seasonal ? fmt::format(" (every {} steps)", period) : "");
    say_("simple ways to forecast, squared error to validate: " + text);
  }

  std::string note_;
  std::function<void(const std::string&)> say_;
  SeriesTable table_;
  RowSplit split_;
};

void check_data(const Recipe& recipe) {
  const DataSpec& data = recipe.data;
  check(data.period <= recipe.model.context, "data.period is ", data.period,
        ", longer than model.context, ", recipe.model.context,
        "; a season is repeated from what a forecast sees");
  check(data.train_target.empty(), "a model of architecture ", recipe.model.architecture,
        " learns from one table of series, got two files; give one CSV");
  check(!find_builtin(data.train_source), data.train_source, " is text; a model of architecture ",
        recipe.model.architecture, " learns from a table of series, as in --train load.csv");
  check(data.valid_source.empty(),
        "a table of series is validated by rows of its own, so --valid has no use; data.split says "
        "which");
  check(data.train_source != "-",
        "a table of series is read again when a run goes on, so it cannot come from standard "
        "input; name a file");
}

}  // namespace

extern const DataKind series{
    .name = "series",
    .fits =
        [](const ModelSpec& spec) {
          return find_architecture(spec.architecture).reads == Reads::series;
        },
    .wanted = [](const ModelSpec&) -> std::string {
      return "a table of series, as in --train load.csv";
    },
    // A model begins as the best linear map. What attention adds is soon learned, or learned by
    // heart; and larger steps leave that map behind, the farther the longer the horizon.
    .preferred =
        [](TrainSpec spec) {
          if (spec.steps == 0 && spec.epochs == 0) spec.steps = 300;
          spec.batch_tokens = 8192;
          spec.learning_rate = 1e-4;
          spec.warmup = 100;
          spec.validate_every = 50;
          spec.save_every = 100;
          return spec;
        },
    .check = [](const Recipe& recipe, bool) { check_data(recipe); },
    .read = [](const Recipe& recipe, const RunRequest& request) -> std::unique_ptr<RunData> {
      return std::make_unique<SeriesData>(recipe, request);
    },
    .complete = [](const Model&, const Task&, ModelInfo&) {},
};

}  // namespace regard::data
