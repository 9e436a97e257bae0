// A run that is stopped and taken up again ends with the bits of one that never was.
#include <gtest/gtest.h>

#include "regard/backend/cpu/cpu.h"
#include "tests/model/architectures.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::busy_spec;
using testing::difference;
using testing::MicroRun;
using testing::Scratch;

struct Variant {
  std::string title, architecture;
  TrainSpec spec;
};

/// Architectures take turns.
std::vector<Variant> variants() {
  const std::span<const Architecture* const> architectures = all_architectures();
  std::vector<Variant> all;
  const auto add = [&](std::string title, auto change) {
    const std::string architecture(architectures[all.size() % architectures.size()]->name);
    all.push_back({title + ", " + architecture, architecture, busy_spec()});
    change(all.back().spec);
  };
  add("plain", [](TrainSpec&) {});
  add("by epochs", [](TrainSpec& spec) {
    spec.steps = 0;
    spec.epochs = 2;
    spec.validate_every = 0;
    spec.batch_tokens = 90;
  });
  add("accumulated", [](TrainSpec& spec) { spec.accumulate = 2; });
  add("agreement", [](TrainSpec& spec) { spec.r_drop = 2; });
  add("mean of weights", [](TrainSpec& spec) {
    spec.ema_decay = 0.9;
    spec.save_every = 1;
  });
  return all;
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

/// After updates, between the batches of a validation, before it translates, and while the mean of
/// the best weights is judged.
TEST(Trainer, StoppedAtAnyQuestionItEndsWithTheSameBits) {  // covers CK10 CK14
  const MicroRun run;
  TrainSpec spec = busy_spec();
  spec.steps = 8;
  const auto stopped_at = [&](int n, const Scratch& folder) {
    const auto model = run.model();
    TrainObserver nobody;
    int questions = 0;
    const TokenTask task = run.task(*model);
    Trainer trainer(run.setup(spec, folder.path()), *model, task, nobody);
    const TrainEnd end = trainer.run([&] { return ++questions >= n; });
    EXPECT_TRUE(end == TrainEnd::finished || questions == n) << "asked again after a yes";
    return end == TrainEnd::stopped;
  };
  const Scratch straight;
  ASSERT_EQ(run.go(spec, straight.path()), TrainEnd::finished);
  int n = 1;
  for (;; ++n) {
    const Scratch folder;
    if (!stopped_at(n, folder)) break;
    EXPECT_EQ(run.go(spec, folder.path()), TrainEnd::finished) << n;
    EXPECT_EQ(difference(straight.path(), folder.path()), "") << "stopped at question " << n;
  }
  EXPECT_GT(n, 7 + 3 * 2);  // after every update but the last; twice at least in 3 validations
}

class CountedValidations final : public TrainObserver {
 public:
  void validated(const ValidationResult&, bool) override { ++count; }
  int count = 0;
};

TEST(Trainer, StoppedJustAfterAValidationItEndsWithTheSameBits) {  // covers CK14
  for (const Variant& variant : variants()) {
    const MicroRun run(variant.architecture);
    const auto stopped_after = [&](int validations, const Scratch& folder) {
      const auto model = run.any_model();
      CountedValidations seen;
      const auto task = run.any_task(*model);
      Trainer trainer(run.setup(variant.spec, folder.path()), *model, *task, seen);
      return trainer.run([&] { return seen.count >= validations; }) == TrainEnd::stopped;
    };
    const Scratch straight;
    ASSERT_EQ(run.go(variant.spec, straight.path()), TrainEnd::finished) << variant.title;
    int validations = 1;
    for (;; ++validations) {
      const Scratch folder;
      if (!stopped_after(validations, folder)) break;
      EXPECT_EQ(run.go(variant.spec, folder.path()), TrainEnd::finished) << variant.title;
      EXPECT_EQ(difference(straight.path(), folder.path()), "")
          << variant.title << ", stopped after validation " << validations;
    }
    EXPECT_GT(validations, 2) << variant.title;
  }
}

}  // namespace
}  // namespace regard
