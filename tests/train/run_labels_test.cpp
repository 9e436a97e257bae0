// Texts with labels, as a run reads them.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "regard/train/run_text.h"
#include "tests/support/warnings.h"
#include "tests/train/micro_run.h"

namespace regard::testing {
namespace {

/// A text of so many lines, and labels that take turns.
Recipe label_recipe(const Scratch& scratch, int lines,
                    const std::vector<std::string>& labels = {"good", "bad"}) {
  std::string text;
  for (int i = 0; i < lines; ++i)
    text += "film " + std::to_string(i) + "\t" +
            labels[static_cast<std::size_t>(i) % labels.size()] + "\n";
  put(scratch / "train.tsv", text);
  Recipe recipe;
  recipe.data.train_source = scratch / "train.tsv";
  recipe.vocab.type = "words";
  recipe.vocab.min_frequency = 1;
  recipe.model = {.architecture = std::string(labelling_architectures().front()->name),
                  .width = 8,
                  .hidden = 8,
                  .heads = 1,
                  .encoder_layers = 1};
  recipe.train.steps = 2;
  return recipe;
}

std::string refusal(const Recipe& recipe, const Scratch& scratch, Fault fault = Fault::input) {
  const Error error = error_of([&] { prepare_run(recipe, {.folder = scratch / "run"}); });
  EXPECT_EQ(error.fault, fault) << error.what();
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
  return error.what();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RunLabels, AreInOrderAndStandInTheModelsConfig) {
  const Scratch scratch;
  const Recipe recipe = label_recipe(scratch, 100, {"good", "bad", "so  so"});
  std::string said;
  const auto run = prepare_run(
      recipe,
      {.folder = scratch / "run", .say = [&](const std::string& line) { said += line + "\n"; }});
  EXPECT_EQ(run->info->labels, (std::vector<std::string>{"bad", "good", "so so"}));
  EXPECT_EQ(load_info(scratch / "run").labels, run->info->labels);
  EXPECT_EQ(run->info->spec.target_vocabulary, 3);
  const TaskSizes sizes = run->task->sizes();
  EXPECT_EQ(sizes.training, 90);
  EXPECT_EQ(sizes.validation, 10);  // held out
  EXPECT_EQ(sizes.example, "text");
  EXPECT_TRUE(has(said, "train: read 100 texts, kept 100")) << said;
}

/// Whatever text is put aside, each label has one to be learned from.
TEST(RunLabels, AreAllLearnedHoweverRare) {
  for (int seed = 1; seed <= 8; ++seed) {
    const Scratch scratch;
    std::vector<std::string> labels;  // of 40 texts, 20 have one of their own
    for (int i = 0; i < 40; ++i)
      labels.push_back(i % 2 == 0 ? "common" : "rare" + std::to_string(i));
    Recipe recipe = label_recipe(scratch, 40, labels);
    recipe.train.seed = seed;
    const RunText text = read_run_text(recipe, {});
    std::set<std::string> learned;
    for (const Pair& pair : text.train) learned.insert(pair.target);
    EXPECT_EQ(std::vector<std::string>(learned.begin(), learned.end()), text.labels) << seed;
    EXPECT_EQ(text.train.size(), 36u);
    EXPECT_EQ(text.valid.size(), 4u);
    std::set<std::string> texts;
    for (const auto* some : {&text.train, &text.valid})
      for (const Pair& pair : *some) texts.insert(pair.source);
    EXPECT_EQ(texts.size(), 40u);
  }
}

TEST(RunLabels, OfTextsThatAllDifferAreLearnedAndJudgedByTheSame) {
  const Scratch scratch;
  std::vector<std::string> labels;
  for (int i = 0; i < 30; ++i) labels.push_back("label " + std::to_string(i));
  const RunText text = read_run_text(label_recipe(scratch, 30, labels), {});
  EXPECT_EQ(text.train.size(), 30u);
  EXPECT_EQ(text.valid.size(), 3u);
}

TEST(RunLabels, OfAFewTextsServeForBoth) {
  const Scratch scratch;
  Warnings warnings;
  const auto run = prepare_run(label_recipe(scratch, 5), {.folder = scratch / "run"});
  EXPECT_EQ(run->task->sizes().validation, 5);
  EXPECT_TRUE(has(warnings.text(), "only 5 training texts")) << warnings.text();
}

TEST(RunLabels, AreRefusedByNameFileAndLine) {
  const Scratch scratch;
  EXPECT_TRUE(has(refusal(label_recipe(scratch, 30, {"good"}), scratch),
                  "every text has the label 'good'"));
  std::vector<std::string> many;
  for (int i = 0; i < 1001; ++i) many.push_back(std::to_string(i));
  EXPECT_TRUE(has(refusal(label_recipe(scratch, 1001, many), scratch), "more than 1000"));
  const std::string long_one =
      refusal(label_recipe(scratch, 30, {"good", std::string(201, 'x')}), scratch);
  EXPECT_TRUE(has(long_one, scratch / "train.tsv:2: a label of 201 bytes")) << long_one;
  EXPECT_TRUE(has(long_one, "'" + std::string(40, 'x') + "…'")) << long_one;
  Recipe judged = label_recipe(scratch, 30);
  judged.data.valid_source = scratch / "valid.tsv";
  put(scratch / "valid.tsv", "a film\tgood\nanother\tgod\n");
  const std::string unknown = refusal(judged, scratch);
  EXPECT_TRUE(has(unknown, scratch / "valid.tsv:2: the label 'god' is not among")) << unknown;
  EXPECT_TRUE(has(unknown, "did you mean 'good'")) << unknown;
  Recipe languages = label_recipe(scratch, 30);
  languages.data.to = "fr";
  EXPECT_TRUE(has(refusal(languages, scratch, Fault::usage), "leave data.to 'fr' out"));
  Recipe builtin = label_recipe(scratch, 30);
  builtin.data.train_source = kBuiltinEnFr;
  EXPECT_TRUE(has(refusal(builtin, scratch, Fault::usage), "take builtin:kinds"));
}

TEST(RunLabels, OfTextsThatAreTooLongAreLeftOutAndCounted) {
  const Scratch scratch;
  Recipe recipe = label_recipe(scratch, 100);
  std::ofstream(recipe.data.train_source, std::ios::app) << "one two three four five\tgood\n";
  recipe.data.max_tokens = 4;
  recipe.data.valid_source = scratch / "valid.tsv";
  put(scratch / "valid.tsv", "a film\tgood\n");
  const auto run = prepare_run(recipe, {.folder = scratch / "run"});
  EXPECT_EQ(run->left_out, 1);
  EXPECT_EQ(run->task->sizes().training, 100);
  recipe.data.max_tokens = 1;
  const Scratch other;
  EXPECT_TRUE(has(refusal(recipe, other), "raise data.max_tokens"));
}

TEST(RunLabels, AreThoseOfTheModelWhereARunGoesOn) {
  const Scratch scratch;
  const Recipe recipe = label_recipe(scratch, 40);
  prepare_run(recipe, {.folder = scratch / "run"});
  std::ofstream(recipe.data.train_source, std::ios::app) << "a film\tnew\n";
  const Error error =
      error_of([&] { prepare_run(recipe, {.folder = scratch / "run", .allow_changed = true}); });
  EXPECT_TRUE(has(error.what(), "the label 'new' is not among those")) << error.what();
}

double measure(const ValidationResult& found, std::string_view key) {
  for (const Measure& each : found.measures)
    if (each.key == key) return each.value;
  ADD_FAILURE() << "no measure " << key;
  return 0;
}

/// Its accuracy is of the validation texts, and its samples are the first of them.
TEST(LabelTask, CountsHowManyAreRight) {
  const MicroRun run(labelling_architectures().front()->name);
  const auto model = run.any_model();
  const auto task = run.any_task(*model);
  Arena arena;
  const auto found = task->validate(
      {.samples = 3}, [] { return false; }, arena);
  ASSERT_TRUE(found && found->quality);
  EXPECT_EQ(found->quality->key, "mean_f1");
  ASSERT_EQ(found->samples.size(), 3u);
  const auto all = task->validate(
      {.samples = 100}, [] { return false; }, arena);
  double right = 0;
  for (const Sample& sample : all->samples) right += sample.output == sample.reference;
  EXPECT_NEAR(measure(*all, "accuracy"), 100 * right / static_cast<double>(all->samples.size()),
              1e-9);
  EXPECT_EQ(all->samples[0].source, run.valid.text[0].source);
  EXPECT_FALSE(task->validate(
                       {}, [] { return true; }, arena)
                   .has_value());
}

/// Best is not who only ever says the commonest label, however common it is.
TEST(LabelTask, IsJudgedByEveryLabelAlike) {
  MicroRun run(labelling_architectures().front()->name);
  const auto model = run.any_model();
  Arena arena;
  const auto judged = [&] {
    const auto found = run.any_task(*model)->validate(
        {.samples = 100}, [] { return false; }, arena);
    EXPECT_TRUE(found.has_value());
    return *found;
  };
  const ValidationResult before = judged();
  std::map<std::string, int> counts;
  for (const Sample& sample : before.samples) ++counts[sample.output];
  const std::string usual =
      std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
  // Nearly all texts have what the model mostly says; what it says else is wrong.
  const std::int32_t label = find_label(run.info.labels, usual).value();
  for (IdPair& ids : run.valid.ids) ids.target = {label};
  run.valid.ids.front().target = {label == 0 ? 1 : 0};
  const ValidationResult after = judged();
  const auto texts = static_cast<double>(run.valid.ids.size());
  EXPECT_NEAR(measure(after, "commonest"), 100 * (texts - 1) / texts, 1e-9);
  EXPECT_LE(after.quality->value, 100.0 / 2 + 100.0 / static_cast<double>(run.info.labels.size()));
}

}  // namespace
}  // namespace regard::testing
