#include "regard/train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "regard/backend/cpu/cpu.h"
#include "regard/base/check.h"
#include "regard/base/log.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::content;
using testing::difference;
using testing::error_of;
using testing::MicroRun;
using testing::Scratch;

namespace fs = std::filesystem;

/// Everything on; about 5 batches an epoch.
TrainSpec busy_spec() {
  return {.steps = 12,
          .batch_tokens = 60,
          .learning_rate = 0.01,
          .warmup = 4,
          .label_smoothing = 0.1,
          .average_best = 2,
          .validate_every = 4,
          .validate_sentences = 4,
          .log_every = 3,
          .save_every = 5,
          .keep = 2,
          .samples = 1};
}

std::vector<nlohmann::json> lines_of(const std::string& path) {
  std::vector<nlohmann::json> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) all.push_back(nlohmann::json::parse(line));
  return all;
}

/// Property 34.
TEST(Trainer, LearnsTwentySentencesByHeart) {
  for (const char* architecture : {"transformer", "bahdanau"}) {
    MicroRun run(architecture, 20);
    run.card.spec.width = run.card.spec.hidden = 32;
    run.card.spec.dropout = run.card.spec.attention_dropout = run.card.spec.hidden_dropout = 0;
    run.valid.ids = run.train;
    run.valid.text.clear();
    const Scratch folder;
    const TrainSpec spec{.steps = 300,
                         .batch_tokens = 4096,
                         .learning_rate = 0.01,
                         .warmup = 20,
                         .label_smoothing = 0,
                         .average_best = 1,
                         .validate_every = 300,
                         .validate_sentences = 0,
                         .log_every = 1,
                         .save_every = 1000,
                         .samples = 0};
    EXPECT_EQ(run.go(spec, folder.path()), TrainEnd::finished);
    const std::vector<nlohmann::json> lines = lines_of(folder / "metrics.jsonl");
    ASSERT_EQ(lines.size(), 301u);
    const double at_start = lines[0]["loss"], at_end = lines[300]["loss"];
    const double even = std::log(static_cast<double>(run.card.target->size()));
    EXPECT_NEAR(at_start, even, 0.2 * even) << architecture;
    EXPECT_EQ(lines[300]["type"], "valid");
    EXPECT_LT(at_end, 0.01) << architecture;
  }
}

TEST(Trainer, SameSeedSameBitsWithAnyThreads) {  // covers CC1
  const MicroRun run;
  const Scratch first;
  run.go(busy_spec(), first.path());
  const int threads = Cpu::get().threads();
  for (const int count : {1, 2, 3}) {
    Cpu::get().set_threads(count);
    const Scratch again;
    run.go(busy_spec(), again.path());
    EXPECT_EQ(difference(first.path(), again.path()), "") << count << " threads";
  }
  Cpu::get().set_threads(threads);
  TrainSpec other = busy_spec();
  other.seed = 2;
  const Scratch seeded;
  run.go(other, seeded.path());
  EXPECT_NE(content(first / "metrics.jsonl"), content(seeded / "metrics.jsonl"));
}

struct Variant {
  const char *title, *architecture;
  TrainSpec spec;
};

std::vector<Variant> variants() {
  std::vector<Variant> all{{"plain", "transformer", busy_spec()}};
  const auto add = [&](const char* title, const char* architecture, auto change) {
    all.push_back({title, architecture, busy_spec()});
    change(all.back().spec);
  };
  add("by epochs", "transformer", [](TrainSpec& spec) {
    spec.steps = 0;
    spec.epochs = 2;
    spec.validate_every = 0;
    spec.batch_tokens = 90;
  });
  add("accumulated", "transformer", [](TrainSpec& spec) { spec.accumulate = 2; });
  add("agreement", "transformer", [](TrainSpec& spec) { spec.r_drop = 2; });
  add("mean of weights", "bahdanau", [](TrainSpec& spec) {
    spec.average_decay = 0.9;
    spec.save_every = 1;
  });
  return all;
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

/// Property 35: stopped after every k updates and taken up again, with other threads.
TEST(Trainer, StoppedAnywhereItEndsWithTheSameBits) {  // covers CK14 CK15 CC7
  const int threads = Cpu::get().threads();
  for (const Variant& variant : variants()) {
    const MicroRun run(variant.architecture);
    const Scratch straight;
    ASSERT_EQ(run.go(variant.spec, straight.path()), TrainEnd::finished) << variant.title;
    const Index last = CheckpointStore(straight / "checkpoints", 1).steps().back();
    EXPECT_GE(last, 8) << variant.title;
    for (Index k = 1; k <= last; ++k) {
      const Scratch folder;
      Cpu::get().set_threads(1 + static_cast<int>(k % 2));
      const TrainEnd first = run.go(variant.spec, folder.path(), k);
      EXPECT_EQ(first, TrainEnd::stopped) << k;
      Cpu::get().set_threads(2 - static_cast<int>(k % 2));
      EXPECT_EQ(run.go(variant.spec, folder.path()), TrainEnd::finished);
      EXPECT_EQ(difference(straight.path(), folder.path()), "")
          << variant.title << ", stopped after " << k;
    }
    const Scratch often;
    while (run.go(variant.spec, often.path(), 1) == TrainEnd::stopped) {
    }
    EXPECT_EQ(difference(straight.path(), often.path()), "") << variant.title << ", at every step";
  }
  Cpu::get().set_threads(threads);
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
  Trainer trainer(run.setup(spec, folder.path()), *model, nobody);
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

TEST(Trainer, RefusesToTrainForEver) {
  const MicroRun run;
  const Scratch folder;
  TrainSpec spec = busy_spec();
  spec.steps = 0;
  EXPECT_EQ(error_of([&] { run.go(spec, folder.path()); }).fault, Fault::usage);
}

/// The long mean settles for 100 updates; then a jump is seen within a few, and noise is not.
TEST(LossWatch, TellsAJumpFromNoise) {  // covers NU7
  const Rng rng(5);
  for (const double jump : {2.0, 10.0, 1e6}) {
    LossWatch watch;
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
  LossWatch wild;
  int seen = 0;
  while (seen < 200 &&
         !wild.diverged(seen == 0 ? 5 : 500 * rng.uniform(static_cast<std::uint64_t>(1000 + seen))))
    ++seen;
  EXPECT_EQ(seen, 100);
  LossWatch young;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(young.diverged(i));
}

}  // namespace
}  // namespace regard
