#include "regard/train/best_weights.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "regard/train/checkpoint/manifest.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::content;
using testing::error_of;
using testing::MicroRun;
using testing::Scratch;

/// Validates after 3, 6, 9 and 12 updates, and takes the mean of two.
TrainSpec judged_spec() {
  return {.steps = 12,
          .batch_tokens = 60,
          .learning_rate = 0.01,
          .schedule = "constant",
          .warmup = 0,
          .average_best = 2,
          .validate_every = 3,
          .validate_sentences = 4,
          .patience = 3,
          .log_every = 3,
          .save_every = 100,
          .samples = 0};
}

TEST(BestWeights, KnowsAFileByTheHashOfItsBytes) {
  const MicroRun run;
  const auto model = run.model();
  const Scratch folder;
  BestWeights store(RunFolder(folder.path()), 1);
  std::vector<Kept> best;
  store.keep(best, 7, {.value = 0.5}, parameters_of(*model));
  ASSERT_EQ(best.size(), 1u);
  const std::string bytes = content(folder / "best/step-7.safetensors");
  EXPECT_EQ(best[0].hash, content_hash(bytes));
  save_weights(folder / "model.safetensors", parameters_of(*model));
  EXPECT_EQ(bytes, content(folder / "model.safetensors"));
}

TEST(BestWeights, CountsItsFiles) {
  const MicroRun run;
  const auto model = run.model();
  const Scratch folder;
  BestWeights store(RunFolder(folder.path()), 1);
  std::vector<Kept> best;
  EXPECT_EQ(store.count(), 0);
  store.keep(best, 1, {.value = 0.5}, parameters_of(*model));
  store.keep(best, 2, {.value = 0.6}, parameters_of(*model));
  for (const char* name : {"notes", "step-x.safetensors", "step-02.safetensors", "step-3"})
    testing::put(folder / ("best/" + std::string(name)), "not ours");
  EXPECT_EQ(store.count(), 2);
  store.remove_others(best);
  EXPECT_EQ(store.count(), 1);
  std::error_code error;
  EXPECT_TRUE(RunFolder(folder / "absent").best_steps(error).empty());
  EXPECT_TRUE(error);
}

TEST(BestWeights, OfEqualScoresTheLowerLossIsBetter) {
  const MicroRun run;
  const auto model = run.model();
  const Scratch folder;
  BestWeights store(RunFolder(folder.path()), 2);
  std::vector<Kept> best;
  const auto steps_after = [&](Index step, double bleu, double loss) {
    store.keep(best, step, {bleu, loss}, parameters_of(*model));
    std::vector<Index> steps;
    for (const Kept& kept : best) steps.push_back(kept.step);
    return steps;
  };
  EXPECT_EQ(steps_after(1, 0, 5), (std::vector<Index>{1}));
  EXPECT_EQ(steps_after(2, 0, 4), (std::vector<Index>{2, 1}));
  EXPECT_EQ(steps_after(3, 0, 4.5), (std::vector<Index>{2, 3}));
  EXPECT_EQ(steps_after(4, 0, 4.5), (std::vector<Index>{2, 3}));
  EXPECT_EQ(steps_after(5, 0.1, 9), (std::vector<Index>{5, 2}));
}

TEST(ValidationScore, IsBleuThenLossOrLossAlone) {
  const auto score = [](double bleu, double loss) {
    return ValidationResult{.loss = loss, .quality = Measure{"bleu", "BLEU", 1, bleu}}.score();
  };
  EXPECT_TRUE(score(30, 5).is_better_than(score(20, 1)));
  EXPECT_TRUE(score(100, 1).is_better_than(score(100, 2)));
  EXPECT_FALSE(score(100, 2).is_better_than(score(100, 2)));
  EXPECT_TRUE(score(-1, 1).is_better_than(score(-1, 2)));
  EXPECT_FALSE(score(-1, 2).is_better_than(score(-1, 1)));
}

TEST(ValidationScore, IsReadFromCheckpointsWithAndWithoutALoss) {
  TrainProgress progress;
  progress.step = 4;
  progress.best.push_back({.step = 4, .score = {50, 1.5}, .hash = 7});
  const ValidationScore whole = TrainProgress::of_json(progress.json(), "new").best.at(0).score;
  EXPECT_EQ(whole.value, 50);
  EXPECT_EQ(whole.loss, 1.5);
  nlohmann::json older = nlohmann::json::parse(progress.json());
  older["best"][0].erase("loss");
  const ValidationScore old = TrainProgress::of_json(older.dump(), "old").best.at(0).score;
  EXPECT_EQ(old.value, 50);
  EXPECT_FALSE(whole.is_better_than(old)) << "an equal, as far as is known";
  EXPECT_FALSE(old.is_better_than(whole)) << "an equal, as far as is known";
}

/// Nothing said is ever right, so that BLEU stays 0; yet the loss falls.
TEST(ValidationScore, PatienceHeedsTheLossWhereBleuIsAlwaysTheSame) {
  MicroRun run;
  for (Pair& pair : run.valid.text) pair.target = "zzz";
  const Scratch folder;
  const auto model = run.model();
  TrainObserver nobody;
  const TokenTask task = run.task(*model);
  Trainer trainer(run.setup(judged_spec(), folder.path()), *model, task, nobody);
  EXPECT_EQ(trainer.run([] { return false; }), TrainEnd::finished);
  double lowest = std::numeric_limits<double>::infinity();
  Index best = 0;
  std::ifstream metrics(folder / "metrics.jsonl");
  for (std::string line; std::getline(metrics, line);) {
    const nlohmann::json found = nlohmann::json::parse(line);
    if (found.at("type") != "valid") continue;
    EXPECT_EQ(found.at("bleu").get<double>(), 0);
    if (found.at("loss").get<double>() >= lowest) continue;
    lowest = found.at("loss").get<double>();
    best = found.at("step").get<Index>();
  }
  EXPECT_GT(best, 3) << "nothing was learned";
  EXPECT_EQ(trainer.progress().best.at(0).step, best);
}

TEST(TrainObserver, IsToldOfTheMeanApartFromValidations) {
  struct Verdicts final : TrainObserver {
    std::vector<Index> validations, means;
    void validated(const ValidationResult& found, bool) override {
      validations.push_back(found.step);
    }
    void averaged(const ValidationResult&, Index of, bool) override { means.push_back(of); }
  } verdicts;
  const MicroRun run;
  const Scratch folder;
  const auto model = run.model();
  TrainSpec spec = judged_spec();
  spec.patience = 0;
  Trainer(run.setup(spec, folder.path()), *model, run.task(*model), verdicts).run([] {
    return false;
  });
  EXPECT_EQ(verdicts.validations, (std::vector<Index>{3, 6, 9, 12}));
  EXPECT_EQ(verdicts.means, std::vector<Index>{2});
}

}  // namespace
}  // namespace regard
