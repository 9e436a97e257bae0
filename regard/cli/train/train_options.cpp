#include "regard/cli/train/train_options.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/open_file.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/cli/options.h"
#include "regard/cli/train/settle.h"
#include "regard/config/toml.h"
#include "regard/image/picture_corpus.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/model/sequence_model.h"
#include "regard/tokens/normalise.h"

namespace regard {
namespace {

constexpr Index kMax = 1'000'000'000;

constexpr const char* kFooter =
    R"(The config file is TOML with sections [data] [vocab] [model] [train], and [decode] and [serve] for
translate and serve; --dump-config shows them all. Flags override REGARD_<SECTION>_<KEY> variables,
which override --set, which overrides the file, which overrides the preset.
Languages are taken from names such as train.en and train.de.gz, unless --from and --to name them.

Examples:
  regard train --train builtin:en-fr --model runs/demo --preset tiny --epochs 4
      a first model, in a few minutes, from the corpus inside the program
  regard train --train train.en train.de --valid valid.en valid.de --model runs/en-de
      your own text: two files, aligned line by line (gzip is fine); also one TSV, PO or TMX file
  regard train --arch language --train text.en --model runs/writer
      a model that writes: it learns from text alone, and `regard generate` continues a text
  regard train --arch caption --train builtin:scenes --model runs/scenes
      a model that says what pictures show: your own are lines of path, tab and caption
  regard train --arch classify --train reviews.tsv --model runs/reviews
      a model that labels: it learns from lines of a text, a tab and its label (or two files), and
      `regard classify` says the label of a text
  regard train --arch vit --train builtin:shapes --model runs/shapes
      a model that labels pictures: your own are lines of path, tab and label
  regard train --arch forecast --train load.csv --set model.horizon=96 --model runs/load
      a model that continues series, from a CSV with a time column; see `regard forecast`
  regard train --model runs/en-de
      resume a run that was stopped or killed: it ends with the same bits)";

/// "bahdanau, language, transformer (default)", and whatever else this build has.
std::string known_architectures() {
  std::string text;
  for (const std::string_view name : architecture_names())
    text.append(text.empty() ? "" : ", ")
        .append(name)
        .append(name == ModelSpec().architecture ? " (default)" : "");
  return text;
}

void declare_data(CLI::App& app, TrainOptions& options) {
  const std::string group = "Data";
  add_pair(app,
           {"--train", "FILE..",
            "training text and its translation: two files, or one;\nor builtin:en-fr; of "
            "--arch language text alone, or\nbuiltin:en; of --arch classify texts and labels, or\n"
            "builtin:kinds; of --arch caption a list of pictures, or\n"
            "builtin:scenes; of --arch vit a list of pictures and labels,\nor builtin:shapes; of "
            "--arch forecast a CSV of series",
            group},
           options.train);
  add_pair(app,
           {"--valid", "FILE..", "validation text (default: part of --train is held out)", group},
           options.valid);
  add_option(app, {"--from", "LANG", "language of the source, as in en", group}, options.from);
  add_option(app, {"--to", "LANG", "language of the target, or of text alone, as in fr", group},
             options.to);
}

void declare_training(CLI::App& app, TrainOptions& options) {
  const std::string group = "Training";
  add_option(app, {"--steps", "N", "optimiser steps in all", group}, {1, kMax}, options.steps);
  add_option(app, {"--epochs", "N", "passes over the data", group}, {1, kMax}, options.epochs);
  add_option(app, {"--batch-tokens", "N", "tokens per batch, as 2048 or 4k (default: 2048)", group},
             options.batch_tokens);
  add_option(app, {"--learning-rate", "X", "peak learning rate (default: 0.001)", group},
             options.learning_rate);
  add_option(app, {"--seed", "N", "random seed (default: 1)", group}, {0, kMax}, options.seed);
  add_option(app, {"--device", "NAME", "where to compute: cpu, or auto (default)", group},
             options.device);
  add_flag(app, {"--fresh", "", "delete the existing run and start over", group}, options.fresh);
  add_flag(app, {"--force", "", "resume even if settings or text have changed", group},
           options.force);
}

std::vector<Section> sections_of(Recipe& recipe) {
  std::vector<Section> sections;
  recipe.each_section([&](const char* name, auto& group) {
    sections.push_back({name, fields_of(group)});
  });
  return sections;
}

/// Settings that say how long to train and what is kept and shown. (A schedule that ends, as cosine
/// does, follows the new end.) And split_punctuation, whose default has changed: a run keeps the
/// vocabulary that it has.
bool may_change(std::string_view section, std::string_view key) {
  if (section == "vocab" && key == "split_punctuation") return true;
  constexpr auto kFree = std::to_array<std::string_view>(
      {"steps", "epochs", "patience", "save_every", "keep", "samples"});
  return section == "train" && std::ranges::find(kFree, key) != kFree.end();
}

bool is_run(const std::string& folder) {
  return is_there(RunFolder(folder).recipe());
}

/// Settings of older versions have a kind beside the type.
void merge_kind(ChosenRecipe& chosen) {
  if (chosen.recipe.vocab.merge_kind())
    chosen.origins.set("vocab", "type", chosen.origins.of("vocab", "kind"));
}

void read_recipe(const std::string& folder, ChosenRecipe& chosen) {
  const std::string path = RunFolder(folder).recipe();
  read_toml_text(read_own_file(path, kMaxTomlSize), path, chosen.sections(), chosen.origins);
  merge_kind(chosen);
}

void take_flags(const TrainOptions& options, ChosenRecipe& chosen) {
  const std::vector<Section> sections = chosen.sections();
  const auto take = [&](const char* flag, const std::string& path, const std::string& value) {
    const std::size_t dot = path.find('.');
    set_by_flag(*find(sections, path.substr(0, dot)), path.substr(dot + 1), value, flag,
                chosen.origins);
  };
  const auto take_pair = [&](const char* flag, const std::string& key,
                             const std::vector<std::string>& files) {
    if (files.empty()) return;
    for (const std::string& file : files)
      check(valid_utf8(file), flag, ": the name '", file,
            "' is not UTF-8, and recipe.toml can keep no other; rename the file");
    take(flag, key + "_source", files[0]);
    take(flag, key + "_target", files.size() > 1 ? files[1] : "");
  };
  take_pair("--train", "data.train", options.train);
  take_pair("--valid", "data.valid", options.valid);
  if (options.from) take("--from", "data.from", *options.from);
  if (options.to) take("--to", "data.to", *options.to);
  if (options.architecture) take("--arch", "model.architecture", *options.architecture);
  if (options.steps) take("--steps", "train.steps", std::to_string(*options.steps));
  if (options.epochs) take("--epochs", "train.epochs", std::to_string(*options.epochs));
  if (options.seed) take("--seed", "train.seed", std::to_string(*options.seed));
  if (options.batch_tokens) take("--batch-tokens", "train.batch_tokens", *options.batch_tokens);
  if (options.learning_rate) take("--learning-rate", "train.learning_rate", *options.learning_rate);
  if (options.dropout) take("--dropout", "model.dropout", *options.dropout);
  if (options.vocab_size) take("--vocab-size", "vocab.size", *options.vocab_size);
}

}  // namespace

std::vector<Section> ChosenRecipe::sections() {
  return sections_of(recipe);
}

void declare(CLI::App& app, TrainOptions& options) {
  add_option(app, {"-m,--model", "DIR", "folder of the run and its model; resumes an existing run"},
             options.model);
  declare_data(app, options);
  const std::string group = "Model";
  add_option(app, {"--preset", "NAME", "size: tiny, small (default), base, big", group},
             options.preset);
  add_option(app, {"--arch", "NAME", known_architectures(), group}, options.architecture);
  add_option(app, {"--dropout", "X", "dropout rate (default: the preset's)", group},
             options.dropout);
  add_option(app, {"--vocab-size", "N", "vocabulary size, as 8000 or 8k (default: 8000)", group},
             options.vocab_size);
  declare_training(app, options);
  add_option(app, {"--config", "FILE", "settings, as TOML"}, options.config);
  add_option(app, {"--set", "SECTION.KEY=VALUE", "one setting; give several"}, options.set);
  add_flag(app,
           {"--dump-config", "", "print all settings, what they mean and their origins,\nand exit"},
           options.dump_config);
  add_flag(app, {"--json", "", "progress as JSON lines on standard output"}, options.json);
  add_footer(app, kFooter);
}

void choose_recipe(const TrainOptions& options, ChosenRecipe& chosen) {
  const std::string device = options.device.value_or("auto");
  check(device == "auto" || device == "cpu", "--device: this build has no device '", device,
        "', only cpu");
  const std::vector<Section> sections = chosen.sections();
  const bool resumes = options.model && !options.fresh && is_run(*options.model);
  if (resumes && !options.config && !options.preset) {
    read_recipe(*options.model, chosen);
  } else {
    const std::string name = options.preset.value_or("small");
    chosen.recipe.model = preset(name);
    for (const char* key :
         {"d_model", "d_hidden", "heads", "encoder_layers", "decoder_layers", "dropout"})
      if (options.preset)
        chosen.origins.set("model", key, "preset " + name);
      else
        chosen.origins.follow("model", key, "preset " + name);
  }
  if (options.config) read_toml(*options.config, with_others(sections), chosen.origins);
  merge_kind(chosen);
  for (const std::string& assignment : options.set)
    set_value(sections, assignment, "--set", chosen.origins);
  merge_kind(chosen);
  read_environment(sections, chosen.origins);
  merge_kind(chosen);
  take_flags(options, chosen);
  settle(chosen);
}

namespace {

/// Links of folders are followed, as "link/.." is not where it seems; the file's own name stays.
std::string absolute_path(const std::string& path) {
  const std::filesystem::path whole = std::filesystem::absolute(path);
  return (std::filesystem::weakly_canonical(whole.parent_path()) / whole.filename()).string();
}

}  // namespace

void make_paths_absolute(DataSpec& data) {
  for (std::string* path :
       {&data.train_source, &data.train_target, &data.valid_source, &data.valid_target})
    if (!path->empty() && *path != "-" && !find_picture_corpus(*path) && !find_builtin(*path))
      *path = absolute_path(*path);
}

void check_same_recipe(const std::string& folder, ChosenRecipe& chosen) {
  if (!is_run(folder)) return;
  ChosenRecipe kept;
  read_recipe(folder, kept);
  make_paths_absolute(kept.recipe.data);
  std::string differing;
  const std::vector<Section> now = chosen.sections(), before = kept.sections();
  for (std::size_t i = 0; i < now.size(); ++i)
    for (std::size_t j = 0; j < now[i].fields.size(); ++j) {
      const FieldRef &fresh = now[i].fields[j], &old = before[i].fields[j];
      if (value_of(fresh) == value_of(old) || may_change(now[i].name, fresh.field.name)) continue;
      const bool language = fresh.field.name == "from" || fresh.field.name == "to";
      if (language && value_of(old) == Value(std::string())) continue;  // only named by now
      differing +=
          (differing.empty() ? "" : ", ") + now[i].name + "." + std::string(fresh.field.name);
    }
  check(differing.empty(), folder, ": different settings: ", differing,
        "; use another folder, --fresh to start over, or --force to resume anyway");
}

}  // namespace regard
