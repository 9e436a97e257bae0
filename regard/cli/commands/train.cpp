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
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/model/run_state.h"
#include "regard/train/checkpoint/run_lock.h"
#include "regard/train/complete_info.h"
#include "regard/train/run_data.h"
#include "regard/train/run_setup.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

void check_complete(const TrainOptions& options, const Recipe& recipe) {
  check(options.model && !options.model->empty(), "train needs --model, the folder of the run");
  check(!recipe.data.train_source.empty(), *options.model,
        " is no run to resume; to start one, give --train, ",
        data_kind_of(recipe.model).wanted(recipe.model));
}

/// Training would start over and replace a model without checkpoints, as one that was converted or
/// copied. (A run that was killed before its first checkpoint starts over and loses nothing.)
void check_can_resume(const RunFolder& folder) {
  if (is_there(folder.checkpoints()) || !is_there(folder.weights())) return;
  const RunState state = read_run_status(folder).state;
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
void delete_run(const RunFolder& folder) {
  for (const std::string& path : folder.content()) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) fail(Fault::io, path, ": cannot remove: ", error.message());
  }
}

void show_curves(const RunFolder& folder, const Task& task, TrainScreen& screen, bool quiet) {
  const LinePlot plot = loss_curves(folder.metrics(), task.unit());
  write_file(folder.curves(), svg(plot));
  if (!quiet) screen.say(terminal(plot, terminal_of(STDERR_FILENO)));
}

std::string sizes_of(const PreparedRun& run) {
  const TaskSizes sizes = run.task->sizes();
  const auto counted = [&](const char* which, Index count) {
    return fmt::format("{} {} {}{}", count, which, sizes.example, count == 1 ? "" : "s");
  };
  return fmt::format("{} parameters, {}, {}{}", parameter_count(*run.model),
                     counted("training", sizes.training), counted("validation", sizes.validation),
                     run.left_out ? fmt::format(" ({} skipped: too long)", run.left_out) : "");
}

void say_where_it_begins(const Trainer& trainer, const RunFolder& folder, TrainScreen& screen) {
  if (trainer.progress().finished)
    screen.say(visible(folder.path()) + " is already trained; nothing to do");
  else if (trainer.resumed_at() > 0)
    screen.say(fmt::format("resuming from step {}", trainer.resumed_at()));
}

/// What is known of the model only once it is trained is in its folder already. Examples that
/// somebody has edited since stay so.
bool has_complete_info(const Trainer& trainer, const RunFolder& folder) {
  if (!trainer.progress().finished) return false;
  const RunStatus before = read_run_status(folder);
  // Before "completed" was noted, whoever noted the steps had completed the info too.
  const bool older = before.total_steps > 0 && before.total_steps == trainer.total_steps();
  return before.state == RunState::finished && (before.completed || older);
}

/// Trains, and notes how that stands, whatever ends it. The caller notes that it is finished.
TrainEnd noting_state(const Trainer& trainer, const RunFolder& folder,
                      const std::function<TrainEnd()>& train) {
  const auto note = [&](RunState state) {
    write_run_status(folder, {.state = state, .total_steps = trainer.total_steps()});
  };
  note(RunState::running);
  try {
    const TrainEnd end = train();
    if (end == TrainEnd::stopped) note(RunState::stopped);
    return end;
  } catch (const Error& error) {
    note(error.fault == Fault::diverged ? RunState::diverged : RunState::failed);
    throw;
  } catch (...) {
    note(RunState::failed);
    throw;
  }
}

/// A line to try the model with.
std::string to_try(const Architecture& made, const DataSpec& data, const std::string& path,
                   const std::string& program) {
  const std::string use = fmt::format("{} {} --model {}", program, made.command, path);
  switch (made.reads) {
    case Reads::nothing:
      return use + " --prompt 'some words'";
    case Reads::text:
      return "echo 'some text' | " + use;
    case Reads::image:
      return use + " picture.png";
    case Reads::series:
      return fmt::format("{} -i {} --split test", use, visible(for_shell(data.train_source)));
  }
  fail(Fault::bug, "an architecture reads nothing that is known");
}

void say_what_next(const RunFolder& folder, const Recipe& recipe, TrainScreen& screen,
                   const Settings& settings) {
  const Architecture& made = find_architecture(recipe.model.architecture);
  const std::string path = visible(for_shell(folder.path())),
                    program = visible(for_shell(settings.program));
  screen.say(
      fmt::format("model saved in {}; try:\n  {}", path, to_try(made, recipe.data, path, program)));
  if (made.translates() || made.captions())
    screen.say(fmt::format("  {} serve --model {} --open", program, path));
}

/// Throws Error unless the folder may be trained into, anew or again.
void check_folder(const TrainOptions& options, const RunFolder& files, ChosenRecipe& chosen) {
  check_is_run(files);
  if (!options.fresh) check_can_resume(files);
  if (!options.fresh && !options.force) check_same_recipe(files.path(), chosen);
  if (!options.fresh) files.check_own();
  check_text(files, chosen.recipe.data);
}

bool stopped() {
  return StopSignal::caught() != 0;
}

/// Trains to the end, unless it is stopped, and makes complete what is known of the model.
TrainEnd trained(Trainer& trainer, PreparedRun& run, const RunFolder& files, TrainScreen& screen,
                 bool quiet) {
  const bool complete = has_complete_info(trainer, files);
  const auto train = [&] {
    const TrainEnd how = trainer.run(stopped);
    if (how == TrainEnd::stopped) return how;
    if (!complete) complete_info(files, *run.model, *run.task, *run.info);
    show_curves(files, *run.task, screen, quiet);
    return how;
  };
  // A complete one stays "finished", however this ends: else it would be completed once more.
  return complete ? train() : noting_state(trainer, files, train);
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
  const RunFolder files(*options.model);
  check_folder(options, files, chosen);
  const RunLock lock(files.path());
  const StopSignal signals;
  std::signal(SIGPIPE, SIG_IGN);  // whoever watched may leave; training continues
  TrainScreen screen(settings, options.json, files.speed());
  const auto write_recipe = [&] {
    write_file(files.recipe(), fmt::format("# regard {}\n{}", kVersion,
                                           dump_toml(chosen.sections(), chosen.origins)));
  };
  std::optional<PreparedRun> run =
      prepare_run(chosen.recipe, {.folder = files.path(),
                                  .allow_changed = options.force,
                                  .valid_remedy = "name a validation set with --valid",
                                  .fresh = options.fresh,
                                  .say = [&](const std::string& line) { screen.say(line); },
                                  .stop = stopped,
                                  .before_writing =
                                      [&] {
                                        if (options.fresh) delete_run(files);
                                        if (!is_there(files.recipe())) write_recipe();
                                      }});
  if (!run) return 128 + StopSignal::caught();
  const DataSpec& data = chosen.recipe.data;
  if (find_architecture(chosen.recipe.model.architecture).translates() &&
      (data.from.empty() || data.to.empty()))
    warn("source and target language unknown; set --from and --to, here or of `serve`");
  screen.say(sizes_of(*run));
  Trainer trainer(std::move(run->setup), *run->model, *run->task, screen);
  write_recipe();  // only now: a run that does not take these settings keeps its own
  say_where_it_begins(trainer, files, screen);
  if (trained(trainer, *run, files, screen, settings.quiet) == TrainEnd::stopped) {
    screen.say(fmt::format("stopped and saved at step {}; run the same command to resume",
                           trainer.progress().step));
    return 128 + StopSignal::caught();
  }
  write_run_status(
      files,
      {.state = RunState::finished, .total_steps = trainer.total_steps(), .completed = true});
  say_what_next(files, chosen.recipe, screen, settings);
  return 0;
}

}  // namespace

extern const Command train{
    .name = "train",
    .summary = "train a model that translates, writes, captions, labels or forecasts",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<TrainOptions>();
      declare(app, *options);
      return [options](const Settings& settings) { return run(*options, settings); };
    },
};

}  // namespace regard::commands
