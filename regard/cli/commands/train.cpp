#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/cli/command.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/cli/train/curves.h"
#include "regard/cli/train/train_options.h"
#include "regard/cli/train/train_screen.h"
#include "regard/cli/version.h"
#include "regard/config/toml.h"
#include "regard/train/checkpoint/run_lock.h"
#include "regard/train/choose_alignment.h"
#include "regard/train/run_setup.h"

namespace regard::commands {
namespace {

void check_complete(const TrainOptions& options, const Recipe& recipe) {
  check(options.model.has_value(), "train needs --model, the folder of the run");
  check(!recipe.data.train_source.empty(),
        "train needs --train, text and its translation; try --train builtin:en-fr");
}

/// A folder with a model or files like a run's, but without a recipe, is not ours to go on with or
/// to empty.
void check_own(const std::string& folder) {
  if (std::filesystem::exists(recipe_path(folder))) return;
  for (const char* name : {"config.json", "model.safetensors", "checkpoints", "best"})
    check(!std::filesystem::exists(folder + "/" + name), folder, " holds ", name,
          " but no recipe.toml, so it is not a run; train into another folder");
}

/// Everything of an earlier run that a new one would take up; the recipe, which says that it is
/// one, last.
void forget_run(const std::string& folder) {
  for (const char* name :
       {"checkpoints", "best", "metrics.jsonl", "speed.jsonl", "config.json", "model.safetensors",
        "joint.tokens", "source.tokens", "target.tokens", "curves.svg", "recipe.toml"}) {
    std::error_code error;
    std::filesystem::remove_all(folder + "/" + name, error);
    if (error) fail(Fault::io, folder, "/", name, ": cannot remove: ", error.message());
  }
}

/// With the weights that are kept, the head whose attention aligns words; noted in the card.
void settle_alignment(const std::string& folder, PreparedRun& run, const ValidationSet& valid) {
  load_weights(folder + "/" + std::string(kWeightsFile), parameters_of(*run.model));
  run.card->alignment = choose_alignment_head(*run.model, *run.card, valid);
  save_card(folder, *run.card);
}

void show_curves(const std::string& folder, TrainScreen& screen, bool quiet) {
  const LinePlot plot = loss_curves(folder + "/metrics.jsonl");
  write_file(folder + "/curves.svg", svg(plot));
  if (!quiet) screen.say(terminal(plot, terminal_of(STDERR_FILENO)));
}

int run(const TrainOptions& options, const Settings& settings) {
  ChosenRecipe chosen;
  choose_recipe(options, chosen);
  if (options.dump_config) {
    write_output(dump_toml(chosen.sections(), chosen.origins));
    return 0;
  }
  check_complete(options, chosen.recipe);
  const std::string& folder = *options.model;
  check_own(folder);
  if (!options.fresh && !options.force) check_same_recipe(folder, chosen);
  const RunLock lock(folder);
  const StopSignal signals;
  std::signal(SIGPIPE, SIG_IGN);  // whoever watched may leave; training goes on
  TrainScreen screen(settings, options.json, folder);
  const auto write_recipe = [&] {
    write_file(recipe_path(folder), fmt::format("# regard {}\n{}", kVersion,
                                                dump_toml(chosen.sections(), chosen.origins)));
  };
  const auto stop = [] { return StopSignal::caught() != 0; };
  std::optional<PreparedRun> run =
      prepare_run(chosen.recipe, {.folder = folder,
                                  .allow_changed = options.force,
                                  .fresh = options.fresh,
                                  .say = [&](const std::string& line) { screen.say(line); },
                                  .stop = stop,
                                  .before_writing =
                                      [&] {
                                        if (options.fresh) forget_run(folder);
                                        if (!std::filesystem::exists(recipe_path(folder)))
                                          write_recipe();
                                      }});
  if (!run) return 128 + StopSignal::caught();
  screen.say(fmt::format(
      "{} numbers to learn, {} pairs to learn from, {} to judge by{}", parameter_count(*run->model),
      run->setup.train.size(), run->setup.valid.ids.size(),
      run->left_out ? fmt::format(" ({} too long, left out)", run->left_out) : ""));
  const ValidationSet valid = run->setup.valid;
  Trainer trainer(std::move(run->setup), *run->model, screen);
  write_recipe();  // only now: a run that does not take these settings keeps its own
  if (trainer.progress().finished)
    screen.say(folder + " is trained already; nothing to do");
  else if (trainer.resumed_at() > 0)
    screen.say(fmt::format("going on from step {}", trainer.resumed_at()));
  if (trainer.run(stop) == TrainEnd::stopped) {
    screen.say(fmt::format("stopped and saved at step {}; the same command goes on from there",
                           trainer.progress().step));
    return 128 + StopSignal::caught();
  }
  settle_alignment(folder, *run, valid);
  show_curves(folder, screen, settings.quiet);
  screen.say(fmt::format(
      "the model is in {0}; try: echo 'some text' | regard translate --model {0}", folder));
  return 0;
}

}  // namespace

extern const Command train{
    .name = "train",
    .summary = "train a translation model on parallel text, or go on with one",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<TrainOptions>();
      declare(app, *options);
      return [options](const Settings& settings) { return run(*options, settings); };
    },
};

}  // namespace regard::commands
