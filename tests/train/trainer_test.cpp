#include "regard/train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "regard/backend/cpu/cpu.h"
#include "regard/base/check.h"
#include "regard/base/log.h"
#include "tests/model/architectures.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::busy_spec;
using testing::content;
using testing::difference;
using testing::error_of;
using testing::MicroRun;
using testing::Scratch;

namespace fs = std::filesystem;

std::vector<nlohmann::json> lines_of(const std::string& path) {
  std::vector<nlohmann::json> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) all.push_back(nlohmann::json::parse(line));
  return all;
}

/// Twenty pairs that a model of some width can learn by heart, and is judged by.
MicroRun by_heart(std::string_view architecture) {
  MicroRun run(architecture, 20);
  run.info.spec.width = run.info.spec.hidden = 32;
  run.info.spec.dropout = run.info.spec.attention_dropout = run.info.spec.ffn_dropout = 0;
  run.valid.ids = run.train;
  run.valid.text.clear();
  return run;
}

/// The loss of each update on all pairs at once, then that of the validation.
std::vector<double> losses_by_heart(const MicroRun& run, Index steps) {
  const Scratch folder;
  const TrainSpec spec{.steps = steps,
                       .batch_tokens = 4096,
                       .learning_rate = 0.01,
                       .warmup = 20,
                       .label_smoothing = 0,
                       .average_best = 1,
                       .validate_every = steps,
                       .validate_sentences = 0,
                       .log_every = 1,
                       .save_every = 1000,
                       .samples = 0};
  EXPECT_EQ(run.go(spec, folder.path()), TrainEnd::finished);
  std::vector<double> losses;
  for (const nlohmann::json& line : lines_of(folder / "metrics.jsonl")) {
    const bool last = static_cast<Index>(losses.size()) == steps;
    EXPECT_EQ(line["type"], last ? "valid" : "train");
    losses.push_back(line["loss"].get<double>());
  }
  return losses;
}

/// The lowest loss there is: a source tells its target; without one, nobody knows which comes.
double least_loss(const MicroRun& run) {
  if (reads_source(run.info.spec)) return 0;
  std::map<std::vector<std::int32_t>, double> counts;
  for (const IdPair& pair : run.train) ++counts[pair.target];
  double sum = 0, tokens = 0;
  for (const IdPair& pair : run.train) {
    sum += std::log(static_cast<double>(run.train.size()) / counts[pair.target]);
    tokens += static_cast<double>(pair.target.size()) + 1;
  }
  return sum / tokens;
}

/// Property 34.
TEST(Trainer, LearnsTwentySentencesByHeart) {
  for (const std::string_view architecture : testing::choosing_names()) {
    const MicroRun run = by_heart(architecture);
    const std::vector<double> losses = losses_by_heart(run, 300);
    ASSERT_EQ(losses.size(), 301u);
    const double even = std::log(static_cast<double>(run.said_size()));
    EXPECT_NEAR(losses.front(), even, 0.2 * even) << architecture;
    EXPECT_LT(losses.back(), least_loss(run) + 0.01) << architecture;
    EXPECT_GT(losses.back(), least_loss(run)) << architecture << " sees what it is to predict";
  }
}

/// Property 34, the control: with the targets of others in their place, nothing tells of the true.
TEST(Trainer, LearnsNoTargetsThatItIsNotGiven) {
  MicroRun run = by_heart("transformer");
  for (std::size_t i = 0; i < run.train.size(); ++i)
    run.train[i].target = run.valid.ids[(i + 1) % run.train.size()].target;
  const std::vector<double> losses = losses_by_heart(run, 100);
  ASSERT_EQ(losses.size(), 101u);
  EXPECT_LT(losses[99], 0.1);
  EXPECT_GT(losses[100], 1);
}

TEST(Trainer, SameSeedSameBitsWithAnyThreads) {  // covers CC1
  const MicroRun run;
  const Scratch first;
  TrainSpec spec = busy_spec();
  spec.steps = 8;
  run.go(spec, first.path());
  const int threads = Cpu::get().threads();
  for (const int count : {1, 2, 3, 7, 16, 64}) {
    Cpu::get().set_threads(count);
    const Scratch again;
    run.go(spec, again.path());
    EXPECT_EQ(difference(first.path(), again.path()), "") << count << " threads";
  }
  Cpu::get().set_threads(threads);
  spec.seed = 2;
  const Scratch seeded;
  run.go(spec, seeded.path());
  EXPECT_NE(content(first / "metrics.jsonl"), content(seeded / "metrics.jsonl"));
}

/// Killed after the last checkpoint has its name, and before the old is removed.
TEST(Trainer, AFinishedRunIsTidied) {  // covers CK1
  const MicroRun run;
  const Scratch straight, folder;
  run.go(busy_spec(), straight.path());
  run.go(busy_spec(), folder.path());
  const fs::path old = folder / "checkpoints/ckpt-1";
  fs::copy(folder / "checkpoints/ckpt-10", old, fs::copy_options::recursive);
  std::ofstream(folder / "best/step-2.safetensors") << "old";
  std::ofstream(folder / "checkpoints/latest") << "ckpt-10\n";
  EXPECT_EQ(run.go(busy_spec(), folder.path()), TrainEnd::finished);
  EXPECT_EQ(difference(straight.path(), folder.path()), "");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_FALSE(fs::exists(folder / "best/step-2.safetensors"));
}

TEST(Trainer, AFinishedRunHasNothingToDo) {  // covers CK14
  const MicroRun run;
  const Scratch folder;
  run.go(busy_spec(), folder.path());
  const auto before = testing::traces(folder.path());
  const auto names = testing::names_in(folder / "checkpoints");
  EXPECT_EQ(run.go(busy_spec(), folder.path()), TrainEnd::finished);
  EXPECT_EQ(testing::traces(folder.path()), before);
  EXPECT_EQ(testing::names_in(folder / "checkpoints"), names);
}

/// What is asked of a finished run later is done, and finished again.
TEST(Trainer, AFinishedRunGoesOnWhereItsEndIsMoved) {
  const MicroRun run;
  const Scratch folder, straight;
  TrainSpec spec = busy_spec();
  spec.schedule = "constant";
  spec.steps = 8;  // a step of validation: the shorter run has made no other
  run.go(spec, folder.path());
  spec.steps = 12;
  const auto model = run.model();
  TrainObserver nobody;
  const TokenTask task = run.task(*model);
  Trainer trainer(run.setup(spec, folder.path()), *model, task, nobody);
  EXPECT_FALSE(trainer.progress().finished);
  EXPECT_EQ(trainer.run([] { return false; }), TrainEnd::finished);
  EXPECT_TRUE(trainer.progress().finished);
  EXPECT_EQ(testing::names_in(folder / "checkpoints").count("ckpt-12"), 1u);
  run.go(spec, straight.path());
  const auto learner = [](const Scratch& of) {
    return content(of / "checkpoints/ckpt-12/learner.safetensors");
  };
  EXPECT_EQ(learner(folder), learner(straight));
}

TEST(Trainer, StopsWhenNothingGetsBetter) {
  const MicroRun run;
  const Scratch folder;
  TrainSpec spec = busy_spec();
  spec.steps = 1000;
  spec.schedule = "constant";
  spec.learning_rate = 0;  // so it never does
  spec.validate_every = 2;
  spec.patience = 3;
  EXPECT_EQ(run.go(spec, folder.path()), TrainEnd::no_better);
  int validations = 0;
  for (const nlohmann::json& line : lines_of(folder / "metrics.jsonl"))
    validations += line["type"] == "valid";
  EXPECT_EQ(validations, 4);
  const auto before = testing::traces(folder.path());
  EXPECT_EQ(run.go(spec, folder.path()), TrainEnd::no_better);
  EXPECT_EQ(testing::traces(folder.path()), before);
}

TEST(Trainer, CountsEpochsFromOneByTheStepsInThem) {
  const MicroRun run;
  const Scratch folder;
  TrainSpec spec = busy_spec();
  spec.steps = 0;
  spec.epochs = 2;
  spec.validate_every = spec.log_every = 1;
  EXPECT_EQ(run.go(spec, folder.path()), TrainEnd::finished);
  std::map<Index, Index> epochs;  // by step
  for (const nlohmann::json& line : lines_of(folder / "metrics.jsonl")) {
    if (line["type"] == "average") continue;
    EXPECT_EQ(epochs.emplace(line["step"], line["epoch"]).first->second, line["epoch"]) << line;
  }
  EXPECT_EQ(epochs[1], 1);
  EXPECT_EQ(epochs.rbegin()->second, 2);
  const auto half = static_cast<Index>(epochs.size()) / 2;
  EXPECT_EQ(epochs[half], 1);
  EXPECT_EQ(epochs[half + 1], 2);
}

TEST(Trainer, KnowsItsStepsInAllWhereverItBegins) {
  const MicroRun run;
  const auto total = [&](const TrainSpec& spec, const std::string& folder) {
    const std::unique_ptr<SequenceModel> model = run.model();
    TrainObserver nobody;
    return Trainer(run.setup(spec, folder), *model, run.task(*model), nobody).total_steps();
  };
  const Scratch folder, other;
  TrainSpec spec = busy_spec();
  EXPECT_EQ(total(spec, folder.path()), spec.steps);
  spec.epochs = 2;
  spec.steps = 0;
  const Index by_epochs = total(spec, folder.path());
  run.go(spec, folder.path(), 3);
  EXPECT_EQ(total(spec, folder.path()), by_epochs);
  run.go(spec, folder.path());
  EXPECT_EQ(lines_of(folder / "metrics.jsonl").back()["type"], "average");
  EXPECT_EQ(content(folder / "checkpoints/latest"), "ckpt-" + std::to_string(by_epochs) + "\n");
  spec.patience = 1;  // may end before
  EXPECT_EQ(total(spec, other.path()), by_epochs);
  spec.epochs = 0;
  spec.schedule = "constant";
  EXPECT_EQ(total(spec, other.path()), 0);
}

/// Taken up after five thousand million tokens, a run counts on, and its mean loss is still one.
TEST(Trainer, CountsBeyond32Bits) {  // covers NU16
  constexpr Index kMany = 5'000'000'000;
  const MicroRun run;
  const Scratch straight, folder;
  run.go(busy_spec(), straight.path());
  run.go(busy_spec(), folder.path(), 4);
  CheckpointStore store(folder / "checkpoints", 2);
  Checkpoint kept = store.newest().value();
  for (CheckpointFile& file : kept.files) {
    if (file.name != "progress.json") continue;
    TrainProgress progress = TrainProgress::of_json(file.bytes, file.name);
    progress.tokens += kMany;
    progress.window.tokens += kMany;
    progress.window.loss += 4 * static_cast<double>(kMany);
    file.bytes = progress.json();
  }
  store.save(kept);
  EXPECT_EQ(run.go(busy_spec(), folder.path()), TrainEnd::finished);
  const auto next_line = [](const Scratch& of) {
    for (const nlohmann::json& line : lines_of(of / "metrics.jsonl"))
      if (line.value("step", 0) == 6) return line;
    return nlohmann::json();
  };
  EXPECT_EQ(next_line(folder)["tokens"].get<Index>(),
            next_line(straight)["tokens"].get<Index>() + kMany);
  EXPECT_NEAR(next_line(folder)["loss"].get<double>(), 4, 1e-6);
}

TEST(Trainer, RefusesToTrainForEver) {
  const MicroRun run;
  const Scratch folder;
  TrainSpec spec = busy_spec();
  spec.steps = 0;
  EXPECT_EQ(error_of([&] { run.go(spec, folder.path()); }).fault, Fault::usage);
}

/// The long mean settles for 100 updates; then a jump is seen within a few, and noise is not.
TEST(DivergenceDetector, TellsAJumpFromNoise) {  // covers NU7
  const Rng rng(5);
  for (const double jump : {2.0, 10.0, 1e6}) {
    DivergenceDetector watch;
    std::uint64_t draw = 0;
    const auto noise = [&] { return 0.3 * (rng.uniform(draw++) - 0.5); };
    for (int i = 0; i < 500; ++i)
      ASSERT_FALSE(watch.diverged(3 + 5 * std::exp(-i / 100.0) + noise())) << i;
    EXPECT_FALSE(watch.diverged(3 + noise() + 2)) << "one bad batch";
    for (int i = 0; i < 100; ++i) ASSERT_FALSE(watch.diverged(3 + noise()));
    int seen = 0;
    while (seen < 50 && !watch.diverged(3 + jump + noise())) ++seen;
    EXPECT_LT(seen, 10) << jump;
  }
  // Wild from the first update on, so that no jump stands out: worse than nothing learned at all.
  DivergenceDetector wild;
  int seen = 0;
  while (seen < 200 &&
         !wild.diverged(seen == 0 ? 5 : 500 * rng.uniform(static_cast<std::uint64_t>(1000 + seen))))
    ++seen;
  EXPECT_EQ(seen, 100);
  DivergenceDetector young;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(young.diverged(i));
}

}  // namespace
}  // namespace regard
