// A run that learns to say what pictures show.
#include "regard/train/run_captions.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <set>

#include "regard/base/check.h"
#include "regard/image/png_writer.h"
#include "regard/model/architecture.h"
#include "regard/train/run_data.h"
#include "regard/train/run_setup.h"
#include "regard/train/trainer.h"
#include "tests/support/warnings.h"
#include "tests/train/checkpoint_testing.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::content;
using testing::error_of;
using testing::Scratch;

/// Of the architecture that learns from captions, whatever it is called.
Recipe recipe_of(const std::string& train) {
  Recipe recipe;
  for (const Architecture* each : all_architectures())
    if (each->reads == Reads::image && each->writes == Writes::text)
      recipe.model.architecture = std::string(each->name);
  recipe.model.width = recipe.model.hidden = 16;
  recipe.model.heads = 2;
  recipe.model.encoder_layers = recipe.model.decoder_layers = 1;
  recipe.model.image_size = 16;
  recipe.data.train_source = train;
  recipe.data.to = "en";
  recipe.data.builtin_pairs = 60;
  recipe.vocab.type = "words";
  recipe.vocab.min_frequency = 1;
  recipe.train = {.steps = 8,
                  .batch_tokens = 64,
                  .warmup = 2,
                  .validate_every = 4,
                  .validate_sentences = 4,
                  .save_every = 3,
                  .samples = 2};
  return recipe;
}

std::string write_list(const Scratch& folder, Index count) {
  std::string list;
  for (Index i = 0; i < count; ++i) {
    const std::string name = "p" + std::to_string(i) + ".png";
    const auto level = static_cast<std::uint8_t>(5 * i);
    std::ofstream(folder / name, std::ios::binary)
        << png_bytes(3, 2, std::vector<std::uint8_t>(18, level));
    list += name + "\tThis is number " + std::to_string(i) + ".\n";
  }
  std::ofstream(folder / "list.tsv") << list;
  return folder / "list.tsv";
}

TEST(RunCaptions, HoldsASplitOfItsOwnOutOfTheScenes) {
  const RunCaptions found = read_run_captions(recipe_of("builtin:scenes"), {});
  EXPECT_EQ(found.train.count(), 60);
  EXPECT_EQ(found.valid.count(), scenes::usual_scenes(Split::valid));
  EXPECT_EQ(
      found.valid.pictures->about(0).caption,
      builtin_pictures(*find_picture_corpus(kBuiltinScenes), {.split = Split::valid}, 1, "en", 16)
          ->about(0)
          .caption);
}

TEST(RunCaptions, PutsSomeOfAListAside) {
  const Scratch folder;
  const RunCaptions found = read_run_captions(recipe_of(write_list(folder, 40)), {});
  EXPECT_EQ(found.train.count(), 36);
  EXPECT_EQ(found.valid.count(), 4);
  std::set<Index> all(found.train.chosen.begin(), found.train.chosen.end());
  all.insert(found.valid.chosen.begin(), found.valid.chosen.end());
  EXPECT_EQ(all.size(), 40U);
  EXPECT_EQ(found.captions.size(), 36U);
}

/// Lists such as Flickr's say five things of each picture, and may write its path in two ways.
TEST(RunCaptions, PutsAPictureAsideWithAllItsCaptions) {
  const Scratch folder;
  const std::string list = write_list(folder, 30);
  std::string more;
  for (Index i = 0; i < 30; ++i)
    for (const std::string way : {"./p", "p"})
      for (const std::string said : {"Once", "Twice"})
        more += way + std::to_string(i) + ".png\t" + said + ".\n";
  std::ofstream(list, std::ios::app) << more;
  const RunCaptions found = read_run_captions(recipe_of(list), {});
  const auto pictures = [](const CaptionExamples& examples) {
    std::map<Index, Index> captions;
    for (const Index i : examples.chosen) ++captions[examples.pictures->picture(i)];
    return captions;
  };
  const auto train = pictures(found.train), valid = pictures(found.valid);
  EXPECT_EQ(train.size(), 27U);
  EXPECT_EQ(valid.size(), 3U);
  for (const auto& [picture, captions] : valid) {
    EXPECT_EQ(captions, 5);
    EXPECT_FALSE(train.contains(picture)) << picture;
  }
}

TEST(RunCaptions, OfAHandfulAllServeForBothWithAWarning) {
  const Scratch folder;
  const testing::Warnings warnings;
  const RunCaptions found = read_run_captions(recipe_of(write_list(folder, 5)), {});
  EXPECT_EQ(found.valid.chosen, found.train.chosen);
  EXPECT_NE(warnings.text().find("only 5 training pictures"), std::string::npos);
}

TEST(RunCaptions, KnowsPicturesByTheirPixelsNotTheirNames) {
  const Scratch one, other;
  const std::string list = write_list(one, 5);
  const auto note = [](const std::string& path) {
    const testing::Warnings quiet;
    return read_run_captions(recipe_of(path), {}).note;
  };
  EXPECT_EQ(note(list), note(write_list(other, 5)));
  std::ofstream(other / "p3.png", std::ios::binary)
      << png_bytes(3, 2, std::vector<std::uint8_t>(18, 200));
  EXPECT_NE(note(list), note(other / "list.tsv"));
}

TEST(RunCaptions, RefusesWhatItCannotLearnFrom) {
  const auto refusal = [](const auto& change) {
    Recipe recipe = recipe_of("builtin:scenes");
    change(recipe);
    const Error error = error_of([&] { check_run_captions(recipe); });
    EXPECT_EQ(error.fault, Fault::usage);
    return std::string(error.what());
  };
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), text.npos) << text;
  };
  says(refusal([](Recipe& r) { r.data.train_target = "other"; }), "one file");
  says(refusal([](Recipe& r) { r.data.from = "fr"; }), "data.from");
  says(refusal([](Recipe& r) { r.data.to = "de"; }), "no captions in 'de'");
  says(refusal([](Recipe& r) { r.data.builtin_pairs = 200'000; }), "lower data.builtin_pairs");
  says(refusal([](Recipe& r) { r.data.train_source = "builtin:en"; }), "take builtin:scenes");
  says(refusal([](Recipe& r) {
         r.model.position = "learned";
         r.model.max_length = 20;
       }),
       "do not fit 20");
}

TEST(RunCaptions, OfItsOwnMayBeJudgedByScenesHoweverManyItWouldTrainOn) {
  const Scratch folder;
  Recipe recipe = recipe_of(write_list(folder, 5));
  recipe.data.valid_source = kBuiltinScenes;
  recipe.data.builtin_pairs = DataSpec().builtin_pairs;
  EXPECT_NO_THROW(check_run_captions(recipe));
  EXPECT_EQ(read_run_captions(recipe, {}).valid.count(), scenes::usual_scenes(Split::valid));
}

/// A run that goes on reads them again.
TEST(RunCaptions, RefusesWhatCanBeReadOnlyOnce) {
  const Scratch folder;
  const std::string pipe = folder / "pipe", list = write_list(folder, 5);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& stream : {std::string("-"), pipe})
    for (const bool validates : {false, true}) {
      Recipe recipe = recipe_of(validates ? list : stream);
      if (validates) recipe.data.valid_source = stream;
      const Error error = error_of([&] { check_run_captions(recipe); });
      EXPECT_EQ(error.fault, Fault::usage);
      EXPECT_NE(std::string(error.what()).find("name a file"), std::string::npos) << error.what();
    }
}

TEST(RunCaptions, RefusesWhatChangesWhileItIsRead) {
  for (const std::string name : {"p3.png", "list.tsv"}) {
    const Scratch folder;
    const std::string list = write_list(folder, 30);
    const auto change = [&](const std::string&) {
      std::ofstream(folder / name, std::ios::app) << "p0.png\tmore\n";
    };
    const Error error = error_of([&] { read_run_captions(recipe_of(list), {.say = change}); });
    EXPECT_EQ(error.fault, Fault::input) << name;
    EXPECT_NE(std::string(error.what()).find("changed while they were read"), std::string::npos)
        << error.what();
  }
}

TEST(RunCaptions, NamesTheLineOfAPictureThatIsMissing) {
  const Scratch folder;
  const std::string list = write_list(folder, 4);
  std::filesystem::remove(folder / "p2.png");
  const Error error = error_of([&] { read_run_captions(recipe_of(list), {}); });
  EXPECT_NE(error.fault, Fault::bug);
  EXPECT_EQ(error.place.path, list);
  EXPECT_EQ(error.place.line, 3);
}

/// Stopped and taken up again, the same bits; pictures are painted or read anew.
TEST(RunCaptions, EndsWithTheSameBitsWhenItWasStopped) {
  for (const bool own : {false, true}) {
    const Scratch data, straight, broken;
    const Recipe recipe = recipe_of(own ? write_list(data, 40) : "builtin:scenes");
    const auto go = [&](const std::string& folder, Index most) {
      std::optional<PreparedRun> run = prepare_run(recipe, {.folder = folder});
      struct Counter final : TrainObserver {
        Index updates = 0;
        void stepped(const StepReport&) override { ++updates; }
      } counter;
      Trainer trainer(std::move(run->setup), *run->model, *run->task, counter);
      return trainer.run([&] { return counter.updates >= most; });
    };
    EXPECT_EQ(go(straight.path(), 100), TrainEnd::finished);
    EXPECT_EQ(go(broken.path(), 5), TrainEnd::stopped);
    EXPECT_EQ(go(broken.path(), 100), TrainEnd::finished);
    EXPECT_EQ(testing::difference(straight.path(), broken.path()), "");
    EXPECT_NE(content(straight / "metrics.jsonl").find("\"exact\""), std::string::npos);
  }
}

}  // namespace
}  // namespace regard
