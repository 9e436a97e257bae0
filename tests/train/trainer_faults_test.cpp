#include <gtest/gtest.h>

#include <limits>

#include "regard/base/check.h"
#include "tests/support/warnings.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::content;
using testing::difference;
using testing::error_of;
using testing::MicroRun;
using testing::names_in;
using testing::Scratch;
using testing::Warnings;

namespace fs = std::filesystem;

TrainSpec short_spec() {
  return {.steps = 12,
          .batch_tokens = 60,
          .learning_rate = 0.01,
          .schedule = "constant",
          .warmup = 0,
          .average_best = 2,
          .validate_every = 4,
          .validate_sentences = 0,
          .log_every = 3,
          .save_every = 3,
          .samples = 0};
}

/// Calls act() once, after the given update.
class After final : public TrainObserver {
 public:
  After(Index step, std::function<void()> act) : step_(step), act_(std::move(act)) {}
  void stepped(const StepReport& report) override {
    if (report.step == step_) act_();
  }

 private:
  Index step_;
  std::function<void()> act_;
};

TEST(Trainer, ALossThatIsNoNumberEndsItWithACheckpoint) {  // covers NU7
  const MicroRun run;
  const Scratch folder;
  const auto model = run.model();
  After poison(5, [&] {
    model->each([](const std::string&, Var& p) {
      Tensor bad = p.value();
      bad.fill(std::numeric_limits<double>::quiet_NaN());
    });
  });
  TrainSpec spec = short_spec();
  spec.validate_every = 1000;
  const TokenTask task = run.task(*model);
  Trainer trainer(run.setup(spec, folder.path()), *model, task, poison);
  const Error error = error_of([&] { trainer.run([] { return false; }); });
  EXPECT_EQ(error.fault, Fault::diverged);
  EXPECT_NE(std::string(error.what()).find("step 5"), std::string::npos) << error.what();
  EXPECT_EQ(names_in(folder / "checkpoints"),
            (std::set<std::string>{"ckpt-0", "ckpt-3", "latest"}));  // none with what was poisoned
}

/// Where another cut of the text leaves an epoch with fewer batches than were done, it is over.
TEST(Trainer, GoesOnWithOtherBatchesWhereItIsForced) {
  const MicroRun run;
  const Scratch folder;
  TrainSpec spec = short_spec();
  spec.steps = 0;
  spec.epochs = 2;
  spec.batch_tokens = 32;
  Index steps = 0;
  const auto first = run.model(), second = run.model();
  TrainObserver nobody;
  const TokenTask first_task = run.task(*first);
  Trainer stopped(run.setup(spec, folder.path()), *first, first_task, nobody);
  EXPECT_EQ(stopped.run([&] { return ++steps == 8; }), TrainEnd::stopped);
  spec.batch_tokens = 4096;
  Trainer::Setup setup = run.setup(spec, folder.path());
  setup.allow_changed = true;
  const TokenTask second_task = run.task(*second);
  Trainer forced(setup, *second, second_task, nobody);
  EXPECT_EQ(forced.run([] { return false; }), TrainEnd::finished);
  EXPECT_EQ(forced.progress().epoch, 2);
}

TEST(Trainer, AHugeLearningRateEndsWithACheckpoint) {  // covers NU7
  for (const char* optimiser : {"sgd", "adam"}) {
    const MicroRun run;
    const Scratch folder;
    TrainSpec spec = short_spec();
    spec.steps = 1000;
    spec.learning_rate = 1000;
    spec.optimiser = optimiser;
    spec.clip_norm = 0;
    spec.validate_every = 100000;
    EXPECT_EQ(error_of([&] { run.go(spec, folder.path()); }).fault, Fault::diverged);
    CheckpointStore store(folder / "checkpoints", 2);
    EXPECT_TRUE(store.newest().has_value());
    // And the run can be taken up: it comes to the same end, not to a new start.
    EXPECT_EQ(error_of([&] { run.go(spec, folder.path()); }).fault, Fault::diverged);
  }
}

/// The run that could not save for a while ends as the one that always could.
TEST(Trainer, GoesOnWhereACheckpointCannotBeSaved) {  // covers CK4 CK6
  const MicroRun run;
  const Scratch folder, straight;
  run.go(short_spec(), straight.path());
  const auto model = run.model();
  // A file in the place of the folder fails for every user, root too.
  const std::string place = folder / "checkpoints", aside = folder / "aside";
  Warnings warnings;
  After broken(5, [&] {
    fs::rename(place, aside);
    testing::put(place, "in the way");
  });
  class Mends final : public TrainObserver {
   public:
    Mends(After& first, std::function<void()> mend) : first_(first), mend_(8, std::move(mend)) {}
    void stepped(const StepReport& report) override {
      first_.stepped(report);
      mend_.stepped(report);
    }

   private:
    After& first_;
    After mend_;
  } both(broken, [&] {
    fs::remove(place);
    fs::rename(aside, place);
  });
  const TokenTask task = run.task(*model);
  Trainer trainer(run.setup(short_spec(), folder.path()), *model, task, both);
  EXPECT_EQ(trainer.run([] { return false; }), TrainEnd::finished);
  EXPECT_NE(warnings.text().find("could not save at step 6"), std::string::npos) << warnings.text();
  EXPECT_EQ(difference(straight.path(), folder.path()), "");
}

/// The folder is made again, also where the run is stopped before its next checkpoint is due.
TEST(Trainer, GoesOnWhereItsCheckpointsAreRemoved) {  // covers CK6
  const MicroRun run;
  const Scratch straight;
  run.go(short_spec(), straight.path());
  for (const Index stop_at : {5, 7, 1000}) {
    const Scratch folder;
    const auto model = run.model();
    After removal(5, [&] { fs::remove_all(folder / "checkpoints"); });
    const TokenTask task = run.task(*model);
    Trainer trainer(run.setup(short_spec(), folder.path()), *model, task, removal);
    EXPECT_EQ(trainer.run([&] { return trainer.progress().step >= stop_at; }),
              stop_at == 1000 ? TrainEnd::finished : TrainEnd::stopped);
    if (stop_at != 1000) {
      EXPECT_EQ(CheckpointStore(folder / "checkpoints", 2).newest()->step, stop_at);
      EXPECT_EQ(run.go(short_spec(), folder.path()), TrainEnd::finished);
    }
    EXPECT_EQ(difference(straight.path(), folder.path()), "") << "stopped at " << stop_at;
    EXPECT_EQ(names_in(folder / "checkpoints"), names_in(straight / "checkpoints"));
  }
}

TEST(Trainer, GivesUpAfterThreeCheckpointsThatCannotBeSaved) {  // covers CK4
  const MicroRun run;
  const Scratch folder;
  const auto model = run.model();
  Warnings warnings;
  TrainSpec spec = short_spec();
  spec.steps = 100;
  spec.validate_every = 1000;
  After broken(5, [&] {
    fs::rename(folder / "checkpoints", folder / "aside");
    testing::put(folder / "checkpoints", "in the way");
  });
  const TokenTask task = run.task(*model);
  Trainer trainer(run.setup(spec, folder.path()), *model, task, broken);
  EXPECT_EQ(error_of([&] { trainer.run([] { return false; }); }).fault, Fault::io);
  EXPECT_EQ(trainer.progress().step, 12);
  // The one of step 3 is whole still.
  EXPECT_EQ(CheckpointStore(folder / "aside", 2).newest()->step, 3);
}

/// A stop that cannot be saved must not be called saved.
TEST(Trainer, AStopThatCannotBeSavedIsAnError) {  // covers CK4 CK10
  const MicroRun run;
  const Scratch folder;
  const auto model = run.model();
  After broken(4, [&] {
    fs::rename(folder / "checkpoints", folder / "aside");
    testing::put(folder / "checkpoints", "in the way");
  });
  const TokenTask task = run.task(*model);
  Trainer trainer(run.setup(short_spec(), folder.path()), *model, task, broken);
  EXPECT_EQ(error_of([&] { trainer.run([&] { return trainer.progress().step >= 4; }); }).fault,
            Fault::io);
}

/// They are part of what the run ends with: it goes on in the hope of a better disk, but does not
/// end without them.
TEST(Trainer, WaitsForADiskThatTakesTheBestWeights) {  // covers CK4
  const MicroRun run;
  const Scratch folder;
  const auto model = run.model();
  Warnings warnings;
  const auto put_in_the_way = [&] {
    fs::rename(folder / "best", folder / "aside");
    testing::put(folder / "best", "in the way");
  };
  const auto mend = [&] {
    fs::remove(folder / "best");
    fs::rename(folder / "aside", folder / "best");
  };
  const Scratch straight;
  run.go(short_spec(), straight.path());
  After broken(3, put_in_the_way);
  const TokenTask task = run.task(*model);
  Trainer trainer(run.setup(short_spec(), folder.path()), *model, task, broken);
  EXPECT_EQ(error_of([&] { trainer.run([] { return false; }); }).fault, Fault::io);
  EXPECT_NE(warnings.text().find("weights of step 4 are kept in memory"), std::string::npos)
      << warnings.text();

  mend();
  run.go(short_spec(), folder.path());
  EXPECT_EQ(testing::content(folder / "model.safetensors"),
            testing::content(straight / "model.safetensors"));
}

TEST(Trainer, SaysAtOnceThatCheckpointsCannotBeWritten) {  // covers CK5
  const MicroRun run;
  const Scratch folder;
  testing::put(folder / "checkpoints", "in the way");
  const auto model = run.model();
  TrainObserver nobody;
  EXPECT_EQ(error_of([&] {
              Trainer(run.setup(short_spec(), folder.path()), *model, run.task(*model), nobody);
            }).fault,
            Fault::io);
}

TEST(Trainer, RefusesToGoOnWithOtherText) {  // covers CO10
  const MicroRun run;
  const Scratch folder;
  run.go(short_spec(), folder.path(), 4);
  const auto model = run.model();
  TrainObserver nobody;
  Trainer::Setup setup = run.setup(short_spec(), folder.path());
  setup.note = R"({"train":"other text"})";
  const Error error = error_of([&] { Trainer(setup, *model, run.task(*model), nobody); });
  EXPECT_EQ(error.fault, Fault::usage);
  EXPECT_NE(std::string(error.what()).find("--force"), std::string::npos);
  setup.allow_changed = true;
  EXPECT_EQ(Trainer(setup, *model, run.task(*model), nobody).resumed_at(), 4);
}

/// Lines lost beyond what the checkpoint knows of are an error, not a gap.
TEST(Trainer, RefusesMetricsThatAreShorterThanItKnows) {
  const MicroRun run;
  const Scratch folder;
  run.go(short_spec(), folder.path(), 4);
  fs::resize_file(folder / "metrics.jsonl", 3);
  EXPECT_EQ(error_of([&] { run.go(short_spec(), folder.path()); }).fault, Fault::input);
}

/// A damaged newest checkpoint: the one before is used, and the end is the same.
TEST(Trainer, FallsBackToTheCheckpointBefore) {  // covers CK7
  const MicroRun run;
  const Scratch folder, straight;
  run.go(short_spec(), straight.path());
  run.go(short_spec(), folder.path(), 8);
  std::string bytes = content(folder / "checkpoints/ckpt-8/learner.safetensors");
  bytes[bytes.size() / 2] ^= 1;
  testing::put(folder / "checkpoints/ckpt-8/learner.safetensors", bytes);
  Warnings warnings;
  EXPECT_EQ(run.go(short_spec(), folder.path()), TrainEnd::finished);
  EXPECT_NE(warnings.text().find("trying the previous one"), std::string::npos) << warnings.text();
  EXPECT_EQ(difference(straight.path(), folder.path()), "");
}

}  // namespace
}  // namespace regard
