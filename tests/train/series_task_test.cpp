// Windows of series as a task: what a forecast costs, and that it is learned.
#include "regard/train/series_task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "regard/base/file.h"
#include "regard/model/forecasts.h"
#include "regard/model/model_folder.h"
#include "regard/series/errors.h"
#include "tests/model/forecast_testing.h"
#include "tests/series/series_testing.h"
#include "tests/support/gradcheck.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::content;
using testing::Draw;
using testing::error_of;
using testing::Scratch;

TEST(ForecastLoss, IsWhatErrorsAreMeasuredBy) {
  testing::law("loss", 20, [](Draw& draw) {
    const bool quantiles = draw.coin();
    const std::vector<double> levels =
        quantiles ? std::vector<double>{0.1, 0.5, 0.7} : std::vector<double>{};
    const Index horizon = draw.integer(1, 5), count = draw.integer(1, 4);
    const auto outputs = std::max<Index>(1, static_cast<Index>(levels.size()));
    const Tensor said = Tensor::normal({count, outputs, horizon}, draw.rng("said")),
                 truth = Tensor::normal({count, horizon}, draw.rng("truth"));
    ForecastErrors errors(horizon);
    QuantileErrors of_levels(levels, horizon);
    for (Index b = 0; b < count; ++b) {
      const auto part = [&](const Tensor& all, Index size) {
        return all.span<float>().subspan(static_cast<std::size_t>(b * size),
                                         static_cast<std::size_t>(size));
      };
      if (quantiles)
        of_levels.add(part(truth, horizon), part(said, outputs * horizon));
      else
        errors.add(part(truth, horizon), part(said, horizon));
    }
    const double share = 1 / static_cast<double>(count * horizon);
    const double expected = quantiles ? of_levels.mean_pinball() : errors.mean_squared();
    EXPECT_NEAR(forecast_loss(Var(said), truth, levels, share).value().item(), expected, 1e-5);
    const Tensor exact = truth.to(Dtype::f64);
    const auto loss = [&](const Var& x) { return forecast_loss(x, exact, levels, share); };
    EXPECT_LT(testing::gradient_error(loss, said.to(Dtype::f64)), 1e-7);
  });
}

/// Two saws, which no linear map continues, in 300 rows as a CSV, and a recipe for a model of them.
struct Saws {
  Scratch scratch;
  Recipe recipe;

  Saws() {
    std::string text = "time,fast,slow\n";
    for (int i = 0; i < 300; ++i)
      text += std::to_string(i) + "," + std::to_string(i * 137 % 1000) + "," +
              std::to_string(5 * (i * 91 % 1000)) + "\n";
    write_file(scratch / "saws.csv", text);
    recipe.data.train_source = scratch / "saws.csv";
    for (const Architecture* each : all_architectures())
      if (each->reads == Reads::series) recipe.model.architecture = each->name;
    recipe.model.width = 8;
    recipe.model.hidden = 16;
    recipe.model.heads = 2;
    recipe.model.encoder_layers = 1;
    recipe.model.dropout = recipe.model.attention_dropout = recipe.model.ffn_dropout = 0;
    recipe.model.context = 32;
    recipe.model.horizon = 4;
    recipe.model.patch = recipe.model.stride = 4;
    recipe.train = testing::busy_spec();
  }

  PreparedRun prepared(const std::string& folder) const {
    return *prepare_run(recipe, {.folder = scratch / folder});
  }

  /// Trains into the folder, or goes on there; stops after `most` updates of this call.
  std::vector<double> go(const std::string& folder, Index most = 1 << 30) const {
    struct Losses final : TrainObserver {
      std::vector<double> all;
      void stepped(const StepReport& report) override { all.push_back(report.loss); }
    } losses;
    PreparedRun run = prepared(folder);
    Trainer trainer(std::move(run.setup), *run.model, *run.task, losses);
    trainer.run([&] { return static_cast<Index>(losses.all.size()) >= most; });
    return losses.all;
  }
};

TEST(SeriesTask, LearnsWhatNoLinearMapSays) {
  Saws saws;
  saws.recipe.train.steps = 300;
  saws.recipe.train.batch_tokens = 512;
  const std::vector<double> losses = saws.go("run");
  EXPECT_LT(losses.back(), 0.3 * losses.front()) << losses.front();
}

TEST(SeriesTask, EndsWithTheSameBitsWhereverItWasStopped) {
  Saws saws;
  saws.recipe.model.dropout = 0.2;
  for (const char* quantiles : {"", "0.1,0.5,0.9"}) {
    saws.recipe.model.quantiles = quantiles;
    const std::string name = quantiles;
    saws.go("whole" + name);
    for (const Index most : {1, 4, 5})
      while (static_cast<Index>(saws.go("parts" + name + std::to_string(most), most).size()) ==
             most) {
      }
    for (const Index most : {1, 4, 5})
      EXPECT_EQ(testing::difference(saws.scratch / ("whole" + name),
                                    saws.scratch / ("parts" + name + std::to_string(most))),
                "");
  }
}

nlohmann::json first_line(const std::string& folder) {
  const std::string all = content(folder + "/metrics.jsonl");
  return nlohmann::json::parse(all.substr(0, all.find('\n')));
}

/// Where training spoils the linear map that a model begins as, that is what is kept.
TEST(SeriesTask, KeepsTheStartWhereNothingLearnedIsBetter) {
  Saws saws;
  saws.recipe.train.learning_rate = 0.3;
  saws.recipe.train.steps = 100;
  saws.recipe.train.patience = 2;
  saws.recipe.train.average_best = 1;
  const std::size_t updates = saws.go("run").size();
  EXPECT_EQ(updates, 8u);  // two validations, one every 4 updates, that are not better
  const std::string folder = saws.scratch / "run";
  const nlohmann::json line = first_line(folder);
  EXPECT_EQ(line["type"], "valid");
  EXPECT_EQ(line["step"], 0);
  EXPECT_EQ(line["epoch"], 1);
  const PreparedRun fresh = saws.prepared("other");
  const std::vector<NamedParameter> start = parameters_of(*fresh.model);
  EXPECT_TRUE(content(folder + "/model.safetensors") == weights_bytes(start));
}

TEST(SeriesTask, EndsWithTheSameBitsIfStoppedAsItJudgesTheStart) {
  const Saws saws;
  saws.go("whole");
  EXPECT_TRUE(saws.go("parts", 0).empty());
  EXPECT_EQ(content(saws.scratch / "parts/metrics.jsonl"), "");
  saws.go("parts");
  EXPECT_EQ(testing::difference(saws.scratch / "whole", saws.scratch / "parts"), "");
}

/// Runs of before the start was judged go on as they were.
TEST(SeriesTask, GoesOnWithoutHavingJudgedTheStart) {
  const Saws saws;
  saws.go("run", 2);
  const std::string folder = saws.scratch / "run";
  CheckpointStore store(folder + "/checkpoints", 2);
  Checkpoint kept = store.newest().value();
  ASSERT_EQ(kept.step, 2);
  for (CheckpointFile& file : kept.files) {
    if (file.name != "progress.json") continue;
    TrainProgress progress = TrainProgress::of_json(file.bytes, file.name);
    progress.best.clear();
    progress.validated_at = -1;
    progress.metrics_bytes = 0;
    file.bytes = progress.json();
  }
  store.save(kept);
  write_file(folder + "/metrics.jsonl", "");
  EXPECT_EQ(saws.go("run").size(), 10u);
  EXPECT_EQ(first_line(folder)["type"], "train");
}

TEST(SeriesTask, SeesEveryWindowOncePerEpoch) {
  const Saws saws;
  const PreparedRun run = saws.prepared("run");
  const TaskSizes sizes = run.task->sizes();
  EXPECT_EQ(sizes.training, 2 * (210 - 32 - 4 + 1));
  EXPECT_EQ(sizes.validation, 2 * (30 - 4 + 1));
  std::multiset<Index> seen;
  for (const std::vector<Index>& batch : run.task->batches_of_epoch(saws.recipe.train, Rng(3))) {
    EXPECT_LE(batch.size(), 60u / 8);
    seen.insert(batch.begin(), batch.end());
  }
  ASSERT_EQ(static_cast<Index>(seen.size()), sizes.training);
  for (Index i = 0; i < sizes.training; ++i) EXPECT_EQ(seen.count(i), 1u);
}

/// A model knows its data when it is loaded again, to the bit.
TEST(SeriesTask, LeavesAModelThatKnowsItsSeries) {
  const Saws saws;
  saws.go("run");
  const std::string folder = saws.scratch / "run";
  const ModelInfo info = load_info(folder);
  ASSERT_TRUE(info.series.has_value());
  EXPECT_EQ(info.series->names, (std::vector<std::string>{"fast", "slow"}));
  EXPECT_EQ(info.series->split.test.end, 300);
  const PreparedRun again = saws.prepared("run");
  EXPECT_EQ(*again.info->series, *info.series);
  const auto model = as_kind<ForecastModel>(load_packed(folder));
  EXPECT_EQ(model.model->horizon(), 4);
}

TEST(SeriesTask, RefusesAnotherTable) {
  const Saws saws;
  saws.go("run", 2);
  const std::string path = saws.recipe.data.train_source;
  write_file(path, content(path) + "300,0,0\n");
  const Error error = error_of([&] { saws.go("run"); });
  EXPECT_EQ(error.fault, Fault::usage);
  EXPECT_NE(std::string(error.what()).find("has changed since this run started (train)"),
            std::string::npos)
      << error.what();
}

}  // namespace
}  // namespace regard
