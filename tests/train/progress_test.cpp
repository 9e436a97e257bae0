// Numbers of a checkpoint that cannot be are named and refused, never used.
#include "regard/train/progress.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "regard/train/checkpoint/manifest.h"
#include "regard/train/checkpoint/snapshot.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using nlohmann::json;
using testing::busy_spec;
using testing::error_of;
using testing::MicroRun;
using testing::Scratch;

json good_progress() {
  TrainProgress progress;
  progress.step = 10;
  progress.epoch = 2;
  progress.batch = 4;
  progress.tokens = 500;
  progress.window = {.loss = 3, .surprisal = 2, .tokens = 50, .updates = 1, .gradient = 0.5};
  progress.watch = {.start = 5, .slow = 4, .fast = 3, .variance = 0.1, .seen = 10};
  progress.best = {{.step = 8, .score = {30, 1}, .hash = 7}, {.step = 4, .score = {20, 2}}};
  progress.without_better = 1;
  progress.validated_at = 8;
  progress.metrics_bytes = 100;
  return json::parse(progress.json());
}

void expect_refused(const json& progress, const std::string& key) {
  const Error error = error_of([&] { TrainProgress::of_json(progress.dump(), "p.json"); });
  EXPECT_EQ(error.fault, Fault::input) << progress;
  const std::string said = error.what();
  EXPECT_NE(said.find("p.json"), said.npos) << said;
  EXPECT_NE(said.find(key), said.npos) << key << ": " << said;
}

TEST(TrainProgress, RefusesNumbersThatNoTrainingHas) {  // covers CK7
  struct Case {
    const char* place;
    std::vector<json> values;
  };
  const std::vector<json> no_counts{-1, 0.5, 1e300, 18446744073709551615u, "1", true, nullptr};
  for (const char* count :
       {"/step", "/epoch", "/batch", "/tokens", "/without_better", "/metrics_bytes",
        "/window/tokens", "/window/updates", "/watch/seen", "/best/0/step"})
    for (const json& value : no_counts) {
      json progress = good_progress();
      progress[json::json_pointer(count)] = value;
      expect_refused(progress, std::string(count).substr(std::string(count).rfind('/') + 1));
    }
  for (const Case& c : std::vector<Case>{{"/epoch", {11}},
                                         {"/without_better", {11}},
                                         {"/validated_at", {-2, 11, 8.5}},
                                         {"/window/updates", {0, 11}},
                                         {"/window/tokens", {0, 501}},
                                         {"/window/loss", {"3", nullptr}},
                                         {"/window/gradient", {-1, "x"}},
                                         {"/watch/variance", {-0.1}},
                                         {"/watch/seen", {11}},
                                         {"/best", {3, "x", json::object()}},
                                         {"/best/0", {3, "x", json::array()}},
                                         {"/best/0/step", {11, 4}},
                                         {"/best/0/score", {"x", 10}},
                                         {"/best/0/loss", {nullptr}},
                                         {"/best/0/hash", {-7, 0.5, "7"}},
                                         {"/finished", {0, "no"}},
                                         {"/batches", {3}}})
    for (const json& value : c.values) {
      json progress = good_progress();
      progress[json::json_pointer(c.place)] = value;
      expect_refused(progress, "");
    }
}

/// What was best by one measure cannot be compared by another.
TEST(TrainProgress, ForgetsTheBestOfAnotherQuality) {
  const auto judged = [](const json& from, std::string_view key) {
    TrainProgress progress = TrainProgress::of_json(from.dump(), "p.json");
    progress.judge_by(key);
    EXPECT_EQ(progress.best.empty(), progress.without_better == 0);
    const TrainProgress read = TrainProgress::of_json(progress.json(), "p.json");
    EXPECT_TRUE(read.is_judged_by(key));
    EXPECT_FALSE(read.is_judged_by("another"));
    return progress.best.size();
  };
  const json old = good_progress();  // does not say
  json now = old;
  now["quality"] = "mean_f1";
  for (const char* key : {"bleu", "exact", ""}) {
    EXPECT_EQ(judged(old, key), 2u) << key;
    EXPECT_EQ(judged(now, key), 0u) << key;
  }
  EXPECT_EQ(judged(old, "mean_f1"), 0u) << "it may be accuracy";
  EXPECT_EQ(judged(now, "mean_f1"), 2u);
  now["quality"] = 3;
  expect_refused(now, "quality");
}

TEST(TrainProgress, RefusesWhatIsMissing) {
  const json good = good_progress();
  EXPECT_NO_THROW(TrainProgress::of_json(good.dump(), "p.json"));
  for (const auto& [key, value] : good.items()) {
    json without = good;
    without.erase(key);
    expect_refused(without, key);
    if (!value.is_object()) continue;
    for (const auto& [inner, unused] : value.items()) {
      json lesser = good;
      lesser[key].erase(inner);
      expect_refused(lesser, inner);
    }
  }
  for (const json& other : {json(), json(3), json::array(), json::object()})
    expect_refused(other, "");
}

/// A whole checkpoint, with its checksums, in which one number of progress.json is another.
void change_progress(const std::string& folder, const char* key, const json& value) {
  CheckpointStore store(folder, 2);
  Checkpoint kept = store.newest().value();
  for (CheckpointFile& file : kept.files) {
    if (file.name != "progress.json") continue;
    json progress = json::parse(file.bytes);
    progress[key] = value;
    file.bytes = progress.dump();
  }
  store.save(kept);
}

/// A run that was judged by accuracy goes on by the mean F1: 1000 of the one would never be
/// reached.
TEST(Trainer, GoesOnFromAnotherQualityWithoutItsBest) {
  const std::string architecture(testing::labelling_architectures().front()->name);
  const MicroRun run(architecture);
  const Scratch folder;
  run.go(busy_spec(), folder.path(), 5);
  const json best = json::array({{{"step", 4}, {"score", 1000}, {"loss", 0.5}, {"hash", 7}}});
  change_progress(folder / "checkpoints", "quality", "accuracy");
  change_progress(folder / "checkpoints", "best", best);
  EXPECT_EQ(run.go(busy_spec(), folder.path()), TrainEnd::finished);
  const Checkpoint kept = CheckpointStore(folder / "checkpoints", 2).newest().value();
  for (const CheckpointFile& file : kept.files) {
    if (file.name != "progress.json") continue;
    const json progress = json::parse(file.bytes);
    EXPECT_EQ(progress["quality"], "mean_f1");
    ASSERT_FALSE(progress["best"].empty());
    for (const json& each : progress["best"]) EXPECT_LE(each["score"], 100);
  }
}

TEST(Trainer, RefusesACheckpointThatIsNowhereInItsPlan) {
  const MicroRun run;
  for (const auto& [key, value] :
       std::vector<std::pair<const char*, json>>{{"batch", -1}, {"batch", 1000}, {"step", 5}}) {
    const Scratch folder;
    run.go(busy_spec(), folder.path(), 4);
    change_progress(folder / "checkpoints", key, value);
    const Error error = error_of([&] { run.go(busy_spec(), folder.path()); });
    EXPECT_EQ(error.fault, Fault::input) << key << value;
    const std::string said = error.what();
    EXPECT_NE(said.find("ckpt-4/progress.json"), said.npos) << said;
    EXPECT_NE(said.find("\"" + std::string(key) + "\""), said.npos) << said;
  }
}

TEST(Learner, RefusesAFileThatHoldsNoTensors) {
  const MicroRun run;
  const auto model = run.model();
  Learner learner(*model, {});
  for (const std::string& bytes :
       {std::string(), std::string("1234567"), std::string(8, '\xff'),
        std::string(8, '\xff') + "{}", std::string("\x09\0\0\0\0\0\0\0{}", 10)}) {
    Checkpoint kept = snapshot(learner, {}, "");
    kept.files[0].bytes = bytes;
    EXPECT_EQ(error_of([&] { restore(kept, learner); }).fault, Fault::input);
  }
}

/// A manifest that says this, sealed as ours are.
std::string sealed_manifest(json content) {
  content["seal"] = fmt::format("{:016x}", content_hash(content.dump(1)));
  return content.dump(1) + "\n";
}

TEST(Manifest, RefusesNumbersThatCountNothing) {
  const json file{{"name", "a"}, {"size", 3}, {"xxh3", "00"}};
  const json good{{"format", 1}, {"step", 5}, {"note", ""}, {"files", json::array({file})}};
  EXPECT_EQ(parse_manifest(sealed_manifest(good), "m").step, 5);
  for (const char* place : {"/format", "/step", "/files/0/size"})
    for (const json& value :
         std::vector<json>{-1, 0.5, 5.0, 1e300, 18446744073709551615u, "5", nullptr}) {
      json bad = good;
      bad[json::json_pointer(place)] = value;
      const Error error = error_of([&] { parse_manifest(sealed_manifest(bad), "m"); });
      EXPECT_EQ(error.fault, Fault::input) << place << value;
      EXPECT_NE(std::string(error.what()).find("whole number"), std::string::npos) << error.what();
    }
  for (const json& files :
       std::vector<json>{3, "x", nullptr, json::array({3}), json::object({{"a", 1}})}) {
    json bad = good;
    bad["files"] = files;
    EXPECT_EQ(error_of([&] { parse_manifest(sealed_manifest(bad), "m"); }).fault, Fault::input);
  }
}

}  // namespace
}  // namespace regard
