#include "regard/train/average.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/open_file.h"
#include "regard/cli/command.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/output_folder.h"
#include "regard/cli/standard_output.h"
#include "regard/model/run_folder.h"
#include "regard/train/checkpoint/durable.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

namespace fs = std::filesystem;

struct Options {
  ModelOption model;
  std::vector<std::string> files;
  std::optional<Index> last;
  std::optional<std::string> out;
  bool overwrite = false, json = false;
};

constexpr const char* kFooter =
    R"(Averaging a run's best checkpoints often beats each of them. Without files, those are
RUN/best/step-N.safetensors, the newest --last of them (default: all).

Examples:
  regard average --model runs/en-de --last 5 --out runs/en-de-mean
  regard average --model runs/a a.safetensors b.safetensors --out runs/mean)";

/// Weights that a run has kept, newest first.
std::vector<std::string> kept_weights(const std::string& folder) {
  const RunFolder run(folder);
  if (!is_own_folder(run.best())) return {};
  std::error_code error;
  std::vector<std::string> paths;
  for (const Index step : run.best_steps(error)) paths.push_back(run.best_step(step));
  if (error) fail(Fault::io, run.best(), ": cannot list the folder: ", error.message());
  std::ranges::reverse(paths);
  return paths;
}

/// A run may have been meant by its folder.
void check_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code ignored;
    check(!fs::is_directory(file, ignored), file,
          ": a folder, but files of weights are averaged; for the best checkpoints of a run: "
          "--model ",
          file);
  }
}

std::vector<std::string> chosen(const Options& options, const std::string& folder) {
  if (!options.files.empty()) return options.files;
  std::vector<std::string> paths = kept_weights(folder);
  const RunFolder run(folder);
  const char* remedy = is_there(run.checkpoints()) ? "train longer, or name files" : "name files";
  if (paths.empty()) fail(Fault::input, run.best(), ": no step-N.safetensors to average; ", remedy);
  if (options.last && static_cast<std::size_t>(*options.last) < paths.size())
    paths.resize(static_cast<std::size_t>(*options.last));
  return paths;
}

int run(const Options& options) {
  check(options.out && !options.out->empty(), "average needs --out, a folder for the new model");
  check_files(options.files);
  check(options.files.empty() || !options.last, "give files or --last, not both");
  const std::string folder = model_folder(options.model), &out = *options.out;
  const std::vector<std::string> paths = chosen(options, folder);
  std::vector<std::string> inputs = model_files(options.model);
  inputs.insert(inputs.end(), paths.begin(), paths.end());
  const Loaded<Model> loaded = open_model(options.model);
  std::vector<OutputFile> outputs;
  std::vector<std::string> names = info_files(loaded.info);
  names.emplace_back(kWeightsFile);
  for (const std::string& name : names)
    outputs.push_back({"--out", (fs::path(out) / name).string()});
  check_outputs(outputs, inputs, options.overwrite);
  const auto mean = averaged_weights(paths, parameters_of(*loaded.model),
                                     options.files.empty() ? Symlinks::refuse : Symlinks::follow);
  std::ranges::reverse(names);  // the config last: without it a folder holds no model
  OutputFolder files(out, names);
  save_weights(RunFolder(files.draft()).weights(), mean);
  save_info(files.draft(), loaded.info);
  files.publish(options.overwrite);
  if (options.json) {
    const nlohmann::ordered_json about{{"schema", 1}, {"folder", out}, {"files", paths}};
    write_output(about.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                 "\n");
    return 0;
  }
  std::string text = fmt::format("{}: average of {} checkpoint{}\n", visible(out), paths.size(),
                                 paths.size() == 1 ? "" : "s");
  for (const std::string& path : paths) text += "  " + visible(path) + "\n";
  write_output(text);
  return 0;
}

void declare(CLI::App& app, Options& options) {
  declare(app, options.model);
  add_words(app,
            {"files", "FILE..", "weights to average (default: the best checkpoints of the run)"},
            options.files);
  add_option(app, {"--last", "N", "only the newest N"}, {1, 1 << 20}, options.last);
  add_option(app, {"-o,--out", "DIR", "folder for the new model"}, options.out);
  add_flag(app, {"--overwrite", "", "replace an existing model"}, options.overwrite);
  add_flag(app, {"--json", "", "one JSON object"}, options.json);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command average{
    .name = "average",
    .summary = "average the weights of several checkpoints",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
