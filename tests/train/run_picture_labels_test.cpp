// Pictures with labels, as a run reads them.
#include <gtest/gtest.h>

#include "regard/image/png_writer.h"
#include "tests/support/warnings.h"
#include "tests/train/micro_run.h"

namespace regard::testing {
namespace {

/// Of the architecture that learns from labelled pictures, whatever it is called.
Recipe picture_recipe(const std::string& train) {
  Recipe recipe;
  for (const Architecture* each : labelling_architectures())
    if (each->reads == Reads::image) recipe.model.architecture = std::string(each->name);
  recipe.model.width = recipe.model.hidden = 16;
  recipe.model.heads = 2;
  recipe.model.encoder_layers = 1;
  recipe.model.image_size = 16;
  recipe.data.train_source = train;
  recipe.data.builtin_pairs = 60;
  recipe.train = {.steps = 8,
                  .batch_tokens = 16,
                  .warmup = 2,
                  .validate_every = 4,
                  .save_every = 3,
                  .samples = 2};
  return recipe;
}

/// Dark and light pictures by turns.
std::string picture_list(const Scratch& folder, int count,
                         const std::vector<std::string>& labels = {"dark", "light"}) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    const std::string name = "p" + std::to_string(i) + ".png";
    const auto level = static_cast<std::uint8_t>(i % 2 * 200 + i % 50);
    put(folder / name, png_bytes(3, 2, std::vector<std::uint8_t>(18, level)));
    list += name + "\t" + labels[static_cast<std::size_t>(i) % labels.size()] + "\n";
  }
  put(folder / "list.tsv", list);
  return folder / "list.tsv";
}

std::string picture_refusal(const Recipe& recipe, Fault fault) {
  const Scratch scratch;
  const Error error = error_of([&] { prepare_run(recipe, {.folder = scratch / "run"}); });
  EXPECT_EQ(error.fault, fault) << error.what();
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
  return error.what();
}

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RunPictureLabels, AreInOrderAndStandInTheModelsConfig) {
  const Scratch data, run;
  const auto made = prepare_run(picture_recipe(picture_list(data, 40, {"so  so", "dark"})),
                                {.folder = run / "run"});
  EXPECT_EQ(made->info->labels, (std::vector<std::string>{"dark", "so so"}));
  const ModelInfo kept = load_info(run / "run");
  EXPECT_EQ(kept.labels, made->info->labels);
  EXPECT_EQ(kept.source, nullptr) << "there are no tokens";
  EXPECT_EQ(made->task->sizes().training, 36);
  EXPECT_EQ(made->task->sizes().validation, 4);  // put aside
  EXPECT_EQ(made->task->sizes().example, "picture");
}

/// One picture has a label of its own besides: where it is put aside, that label is learned from
/// it, and what else is said of it is no test.
TEST(RunPictureLabels, OfAPictureAreAllLearnedOrAllATest) {
  for (int i = 0; i < 40; ++i) {
    const Scratch data, run;
    const std::string list = picture_list(data, 40);
    put(list, content(list) + "p" + std::to_string(i) + ".png\trare\n");
    const auto made = prepare_run(picture_recipe(list), {.folder = run / "run"});
    EXPECT_EQ(made->info->labels.size(), 3u);
    EXPECT_EQ(made->task->sizes().validation, 4) << i;
    EXPECT_GE(made->task->sizes().training, 36) << i;
  }
}

/// Each picture shows something else: there is nothing to validate by but what is learned from.
TEST(RunPictureLabels, ThatAreAllDifferentValidateThemselves) {
  const Scratch data, run;
  std::vector<std::string> labels;
  for (int i = 0; i < 24; ++i) labels.push_back("label " + std::to_string(i));
  const testing::Warnings warnings;
  const auto made =
      prepare_run(picture_recipe(picture_list(data, 24, labels)), {.folder = run / "run"});
  EXPECT_EQ(made->task->sizes().training, 24);
  EXPECT_EQ(made->task->sizes().validation, 2);
  EXPECT_TRUE(tells(warnings.text(), "validation says nothing about others")) << warnings.text();
}

TEST(RunPictureLabels, OfTheBuiltInCorpusAreEightShapes) {
  const Scratch run;
  const auto made =
      prepare_run(picture_recipe(std::string(kBuiltinShapes)), {.folder = run / "run"});
  EXPECT_EQ(made->info->labels.size(), 8u);
  EXPECT_EQ(made->task->sizes().training, 60);
  EXPECT_EQ(made->task->sizes().validation, scenes::usual_scenes(Split::valid));
}

TEST(RunPictureLabels, AreRefusedByNameFileAndLine) {
  const Scratch data;
  const Recipe good = picture_recipe(picture_list(data, 30));
  put(data / "one.tsv", "p0.png\tdark\np1.png\tdark\n");
  EXPECT_TRUE(tells(picture_refusal(picture_recipe(data / "one.tsv"), Fault::input),
                    "every picture has the label 'dark'"));
  put(data / "long.tsv", "p0.png\tdark\np1.png\t" + std::string(201, 'x') + "\n");
  EXPECT_TRUE(tells(picture_refusal(picture_recipe(data / "long.tsv"), Fault::input),
                    "long.tsv:2: a label of 201 bytes"));
  put(data / "none.tsv", "p0.png\tdark\np1.png\t \n");
  EXPECT_TRUE(
      tells(picture_refusal(picture_recipe(data / "none.tsv"), Fault::input), "none.tsv:2: "));
  put(data / "gone.tsv", "p0.png\tdark\nmissing.png\tlight\n");
  EXPECT_TRUE(
      tells(picture_refusal(picture_recipe(data / "gone.tsv"), Fault::input), "gone.tsv:2: "));
  Recipe judged = good;
  judged.data.valid_source = data / "valid.tsv";
  put(data / "valid.tsv", "p0.png\tdark\np1.png\tlightt\n");
  const std::string unknown = picture_refusal(judged, Fault::input);
  EXPECT_TRUE(tells(unknown, "valid.tsv:2: the label 'lightt' is not among those learned"))
      << unknown;
  EXPECT_TRUE(tells(unknown, "did you mean 'light'")) << unknown;
  for (std::string DataSpec::*language : {&DataSpec::from, &DataSpec::to}) {
    Recipe named = good;
    named.data.*language = "fr";
    EXPECT_TRUE(tells(picture_refusal(named, Fault::usage), "which have no language"));
  }
  Recipe second = good;
  second.data.train_target = "labels.txt";
  EXPECT_TRUE(tells(picture_refusal(second, Fault::usage), "lines of path, tab and label"));
  for (const std::string_view other : {kBuiltinScenes, kBuiltinKinds})
    EXPECT_TRUE(tells(picture_refusal(picture_recipe(std::string(other)), Fault::usage),
                      "take builtin:shapes"));
}

/// Stopped and taken up again, the same bits; pictures are painted or read anew.
TEST(RunPictureLabels, EndsWithTheSameBitsWhenItWasStopped) {
  for (const bool own : {false, true}) {
    const Scratch data, straight, broken;
    const Recipe recipe =
        picture_recipe(own ? picture_list(data, 40) : std::string(kBuiltinShapes));
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
    EXPECT_EQ(difference(straight.path(), broken.path()), "");
    EXPECT_TRUE(tells(content(straight / "metrics.jsonl"), "\"accuracy\""));
  }
}

}  // namespace
}  // namespace regard::testing
