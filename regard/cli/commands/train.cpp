#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/base/open_file.h"
#include "regard/cli/command.h"
#include "regard/cli/for_shell.h"
#include "regard/cli/output_file.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/cli/train/curves.h"
#include "regard/cli/train/dump_config.h"
#include "regard/cli/train/train_options.h"
#include "regard/cli/train/train_screen.h"
#include "regard/cli/version.h"
#include "regard/config/toml.h"
#include "regard/model/run_folder.h"
#include "regard/model/run_state.h"
#include "regard/train/checkpoint/run_lock.h"
#include "regard/train/choose_alignment.h"
#include "regard/train/run_setup.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

void check_complete(const TrainOptions& options, const Recipe& recipe) {
  check(options.model && !options.model->empty(), "train needs --model, the folder of the run");
  check(!recipe.data.train_source.empty(),
        "train needs --train, text and its translation; try --train builtin:en-fr");
}

/// Training would start over and replace a model without checkpoints, as one that was converted or
/// copied. (A run that was killed before its first checkpoint starts over and loses nothing.)
void check_can_resume(const RunFolder& folder) {
  if (is_there(folder.checkpoints()) || !is_there(folder.weights())) return;
  const RunState state = read_run_state(folder);
  check(state != RunState::finished && state != RunState::unknown, folder.path(),
        " holds a trained model but no checkpoints to resume from; train into another folder, or ",
        "start over with --fresh");
}

/// A folder with a model or files like a run's, but without a recipe, is not ours to resume or to
/// empty.
void check_is_run(const RunFolder& folder) {
  if (is_there(folder.recipe())) return;
  for (const std::string& path :
       {folder.config(), folder.weights(), folder.checkpoints(), folder.best()})
    check(!is_there(path), folder.path(), " holds ", path.substr(folder.path().size() + 1),
          " but no recipe.toml, so it is not a run; train into another folder");
}

/// Text that training would cut or add to while it reads it.
void check_text(const RunFolder& folder, const DataSpec& data) {
  const std::vector<std::string> text{data.train_source, data.train_target, data.valid_source,
                                      data.valid_target};
  for (const std::string& path : text) check_not_log(path, "training text");
  std::vector<OutputFile> outputs;
  for (const std::string& path : folder.files()) outputs.push_back({"--model", path});
  check_outputs(outputs, text, /*overwrite=*/true);
}

/// Everything of an earlier run that a new one would take up.
void forget_run(const RunFolder& folder) {
  for (const std::string& path : folder.content()) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) fail(Fault::io, path, ": cannot remove: ", error.message());
  }
}

void show_curves(const RunFolder& folder, TrainScreen& screen, bool quiet) {
  const LinePlot plot = loss_curves(folder.metrics());
  write_file(folder.curves(), svg(plot));
  if (!quiet) screen.say(terminal(plot, terminal_of(STDERR_FILENO)));
}

std::string sizes_of(const PreparedRun& run) {
  return fmt::format("{} parameters, {} training pairs, {} validation pairs{}",
                     parameter_count(*run.model), run.setup.train.size(),
                     run.setup.valid.ids.size(),
                     run.left_out ? fmt::format(" ({} skipped: too long)", run.left_out) : "");
}

/// Trains, and notes how that stands. The caller notes the end: more is done after it.
TrainEnd run_noting_state(Trainer& trainer, const RunFolder& folder,
                          const std::function<bool()>& stop) {
  write_run_state(folder, RunState::running);
  try {
    const TrainEnd end = trainer.run(stop);
    if (end == TrainEnd::stopped) write_run_state(folder, RunState::stopped);
    return end;
  } catch (const Error& error) {
    write_run_state(folder, error.fault == Fault::diverged ? RunState::diverged : RunState::failed);
    throw;
  }
}

/// What follows training: which head aligns, the curves, and what to do with the model.
void finish_run(const RunFolder& folder, const PreparedRun& run, const ValidationSet& valid,
                TrainScreen& screen, const Settings& settings) {
  save_alignment_head(folder, *run.model, *run.info, valid);
  show_curves(folder, screen, settings.quiet);
  write_run_state(folder, RunState::finished);
  screen.say(
      fmt::format("model saved in {0}; try:\n"
                  "  echo 'some text' | {1} translate --model {0}\n"
                  "  {1} serve --model {0} --open",
                  visible(for_shell(folder.path())), visible(for_shell(settings.program))));
}

int run(const TrainOptions& options, const Settings& settings) {
  ChosenRecipe chosen;
  choose_recipe(options, chosen);
  if (options.dump_config) {
    check(!options.json, "--dump-config prints TOML, not JSON; leave --json out");
    write_output(dumped_config(options, chosen));
    return 0;
  }
  make_paths_absolute(chosen.recipe.data);
  check_complete(options, chosen.recipe);
  const std::string& folder = *options.model;
  const RunFolder files(folder);
  check_is_run(files);
  if (!options.fresh) check_can_resume(files);
  if (!options.fresh && !options.force) check_same_recipe(folder, chosen);
  if (chosen.recipe.data.from.empty() || chosen.recipe.data.to.empty())
    warn("the languages are not known; name them with --from and --to, as serve offers them");
  if (!options.fresh) files.check_own();
  check_text(files, chosen.recipe.data);
  const RunLock lock(folder);
  const StopSignal signals;
  std::signal(SIGPIPE, SIG_IGN);  // whoever watched may leave; training continues
  TrainScreen screen(settings, options.json, files.speed());
  const auto write_recipe = [&] {
    write_file(files.recipe(), fmt::format("# regard {}\n{}", kVersion,
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
                                        if (options.fresh) forget_run(files);
                                        if (!is_there(files.recipe())) write_recipe();
                                      }});
  if (!run) return 128 + StopSignal::caught();
  screen.say(sizes_of(*run));
  const ValidationSet valid = run->setup.valid;
  Trainer trainer(std::move(run->setup), *run->model, screen);
  write_recipe();  // only now: a run that does not take these settings keeps its own
  if (trainer.progress().finished)
    screen.say(visible(folder) + " is already trained; nothing to do");
  else if (trainer.resumed_at() > 0)
    screen.say(fmt::format("resuming from step {}", trainer.resumed_at()));
  if (run_noting_state(trainer, files, stop) == TrainEnd::stopped) {
    screen.say(fmt::format("stopped and saved at step {}; run the same command to resume",
                           trainer.progress().step));
    return 128 + StopSignal::caught();
  }
  finish_run(files, *run, valid, screen, settings);
  return 0;
}

}  // namespace

extern const Command train{
    .name = "train",
    .summary = "train a translation model on parallel text, or resume one",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<TrainOptions>();
      declare(app, *options);
      return [options](const Settings& settings) { return run(*options, settings); };
    },
};

}  // namespace regard::commands
