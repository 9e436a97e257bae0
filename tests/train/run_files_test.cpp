#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "regard/decode/alignment.h"
#include "regard/measure/alignment.h"
#include "regard/train/best_weights.h"
#include "regard/train/choose_alignment.h"
#include "regard/train/metrics.h"
#include "tests/model/architectures.h"
#include "tests/support/comma.h"
#include "tests/support/warnings.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::busy_spec;
using testing::content;
using testing::error_of;
using testing::MicroRun;
using testing::Scratch;
using testing::Warnings;

namespace fs = std::filesystem;

const nlohmann::ordered_json kLine{{"type", "train"}, {"step", 1}};

TEST(MetricsLog, IsCutBackToTheCheckpoint) {  // covers CK1
  const Scratch folder;
  const std::string path = folder / "metrics.jsonl";
  Index bytes = 0;
  {
    MetricsLog log(path, 0);
    log.write(kLine);
    bytes = log.sync();
    log.write(kLine);
  }
  const std::string first = kLine.dump() + "\n";
  EXPECT_EQ(content(path), first + first);
  { MetricsLog log(path, bytes); }
  EXPECT_EQ(content(path), first);
  const Error error = error_of([&] { MetricsLog log(path, bytes + 1); });
  EXPECT_EQ(error.fault, Fault::input);
}

TEST(MetricsLog, IsNotCutInsideALine) {
  const Scratch folder;
  const std::string path = folder / "metrics.jsonl", line = "{\"type\":\"train\"}\n";
  std::ofstream(path) << line << line;
  const Error error = error_of([&] { MetricsLog log(path, 7); });
  EXPECT_EQ(error.fault, Fault::input);
  EXPECT_EQ(content(path), line + line);
}

TEST(MetricsLog, GoesOnWithoutLostLinesWhereThatIsAllowed) {
  const Scratch folder;
  const std::string path = folder / "metrics.jsonl", line = "{\"step\":1}\n";
  testing::put(path, line + "{\"st");
  const Error refused = error_of([&] { MetricsLog log(path, 100); });
  EXPECT_EQ(refused.fault, Fault::input);
  for (const char* way : {"--force", "--fresh"})
    EXPECT_NE(std::string(refused.what()).find(way), std::string::npos) << refused.what();
  Warnings warnings;
  EXPECT_EQ(MetricsLog(path, 100, /*allow_lost=*/true).size(), static_cast<Index>(line.size()));
  EXPECT_EQ(content(path), line);
  fs::remove(path);
  EXPECT_EQ(MetricsLog(path, 100, /*allow_lost=*/true).size(), 0);
  EXPECT_EQ(warnings.lines.size(), 2u) << warnings.text();
}

TEST(MetricsLog, AFlushThatFailsIsAnError) {  // covers CK4
  const Scratch folder;
  const int next = ::dup(STDERR_FILENO);
  ::close(next);
  MetricsLog log(folder / "metrics.jsonl", 0);  // opens it under that number, the lowest free
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  ::dup2(pipe[1], next);  // a pipe cannot be flushed
  EXPECT_EQ(error_of([&] { log.sync(); }).fault, Fault::io);
  for (const int end : pipe) ::close(end);
}

/// Once it has gone on without the lines, even for a moment, nothing is amiss any more.
TEST(MetricsLog, ARunIsForcedToGoOnWithoutItOnlyOnce) {
  const MicroRun run;
  const Scratch folder;
  run.go(busy_spec(), folder.path(), 4);
  fs::remove(folder / "metrics.jsonl");
  EXPECT_EQ(error_of([&] { run.go(busy_spec(), folder.path()); }).fault, Fault::input);
  struct Broken final : TrainObserver {
    void stepped(const StepReport&) override { throw std::logic_error("killed"); }
  } broken;
  Trainer::Setup setup = run.setup(busy_spec(), folder.path());
  setup.allow_changed = true;
  const auto model = run.model();
  Warnings warnings;
  EXPECT_THROW(Trainer(setup, *model, run.task(*model), broken).run([] { return false; }),
               std::logic_error);
  EXPECT_NE(warnings.text().find("metrics.jsonl"), std::string::npos) << warnings.text();
  EXPECT_NE(run.go(busy_spec(), folder.path()), TrainEnd::stopped);
}

TEST(MetricsLog, AFullDiskLeavesNoHalfLineAndLosesNone) {  // covers CK4
  const Scratch folder;
  const std::string path = folder / "metrics.jsonl", line = kLine.dump() + "\n";
  MetricsLog log(path, 0);
  log.write(kLine);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit tight{line.size() + 5, limit.rlim_max};  // the second line fits by five bytes
  setrlimit(RLIMIT_FSIZE, &tight);
  log.write(kLine);
  EXPECT_EQ(error_of([&] { log.sync(); }).fault, Fault::io);
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(content(path), line);
  log.write(kLine);
  EXPECT_EQ(content(path), line + line + line);
}

TEST(RunFiles, HoldNumbersThatDoNotKnowTheLocale) {  // covers CL5
  TrainProgress progress;
  progress.step = progress.tokens = 1234567;
  progress.window.loss = 1234567.25;
  progress.watch.slow = 0.1;
  progress.best.push_back({1234, {0.1 + 0.2, 1234.5}, 7654321});
  const nlohmann::ordered_json line{{"step", 1234567}, {"loss", 1234.5}, {"gradient", 1e-7}};
  const std::string text = progress.json();
  const Scratch folder;
  MetricsLog(folder / "plain.jsonl", 0).write(line);
  {
    const testing::CommaLocale comma;
    EXPECT_EQ(progress.json(), text);
    EXPECT_EQ(TrainProgress::of_json(text, "text").json(), text);
    MetricsLog(folder / "comma.jsonl", 0).write(line);
  }
  EXPECT_NE(content(folder / "plain.jsonl").find("1234.5"), std::string::npos);
  EXPECT_EQ(content(folder / "comma.jsonl"), content(folder / "plain.jsonl"));
}

TEST(RunFiles, AreTheSameInAnyLocale) {  // covers CL5
  const MicroRun run;
  const Scratch straight, folder;
  run.go(busy_spec(), straight.path());
  {
    const testing::CommaLocale comma;
    run.go(busy_spec(), folder.path(), 5);
    run.go(busy_spec(), folder.path());
  }
  EXPECT_EQ(testing::difference(straight.path(), folder.path()), "");
}

TEST(BestWeights, KeepsTheBestInOrder) {
  const MicroRun run;
  const auto model = run.model();
  const Scratch folder;
  BestWeights store(RunFolder(folder.path()), 2);
  std::vector<Kept> best;
  const auto keep = [&](Index step, double score) {
    store.keep(best, step, {.value = score}, parameters_of(*model));
  };
  keep(1, 0.5);
  keep(2, 0.7);
  keep(3, 0.1);  // not among them
  keep(4, 0.6);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].step, 2);
  EXPECT_EQ(best[1].step, 4);
  EXPECT_TRUE(fs::exists(folder / "best/step-1.safetensors"));  // a checkpoint may name it
  EXPECT_FALSE(fs::exists(folder / "best/step-3.safetensors"));
  store.remove_others(best);
  EXPECT_FALSE(fs::exists(folder / "best/step-1.safetensors"));
  EXPECT_EQ(store.intact_files(best, 1 << 20).size(), 2u);
}

TEST(BestWeights, ADamagedFileLeavesTheList) {  // covers CK7
  const MicroRun run;
  const auto model = run.model();
  const Scratch folder;
  BestWeights store(RunFolder(folder.path()), 4);
  std::vector<Kept> best;
  for (const Index step : {1, 2, 3, 4})
    store.keep(best, step, {.value = static_cast<double>(step)}, parameters_of(*model));
  const std::string path = folder / "best/step-3.safetensors";
  std::string bytes = content(path);
  bytes.back() ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  fs::remove(folder / "best/step-1.safetensors");
  fs::resize_file(folder / "best/step-4.safetensors", std::uintmax_t{1} << 40);  // mostly a hole
  EXPECT_EQ(store.intact_files(best, 1 << 20),
            std::vector<std::string>{folder / "best/step-2.safetensors"});
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].step, 2);
}

/// Against gold alignments, no head of the model does better than the chosen one.
TEST(ChooseAlignment, TakesTheHeadOfTheLowestErrorRate) {
  for (const Architecture* made : testing::translating_architectures()) {
    const MicroRun run(made->name);
    std::vector<PairToAlign> pairs;
    std::vector<Alignment> gold;
    for (std::size_t i = 0; i < run.valid.ids.size(); ++i) {
      const IdPair& ids = run.valid.ids[i];
      pairs.push_back({ids.source, ids.target, run.info.source->words(ids.source),
                       run.info.target->words(ids.target)});
      gold.push_back(parse_moses(run.valid.text[i].alignment, "gold"));
    }
    int choices = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto model = run.model(seed);
      const auto error_rate = [&](const AlignmentHead& head) {
        std::vector<Alignment> found;
        for (const WordAlignment& each : align(*model, pairs, head)) found.push_back(each.links);
        return alignment_error_rate(found, gold).error_rate;
      };
      const double chosen = error_rate(choose_alignment_head(*model, run.info, run.valid));
      double worst = chosen;
      for (const bool after : {false, true})
        for (Index head = 0; head < heads_of(run.info.spec, AttentionKind::cross); ++head) {
          const double rate = error_rate({.layer = 0, .head = head, .shift = after});
          EXPECT_LE(chosen, rate) << made->name;
          worst = std::max(worst, rate);
        }
      choices += chosen < worst;
    }
    EXPECT_GT(choices, 0) << made->name << ": no choice to make";
  }
}

}  // namespace
}  // namespace regard
