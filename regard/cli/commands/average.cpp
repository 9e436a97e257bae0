#include "regard/train/average.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/model_option.h"
#include "regard/cli/number.h"
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
    R"(The mean of a run's best weights often translates better than any of them. Without files, those are
RUN/best/step-N.safetensors, the newest --last of them (default: all).

Examples:
  regard average --model runs/en-de --last 5 --out runs/en-de-mean
  regard average --model runs/a a.safetensors b.safetensors --out runs/mean)";

/// Weights that a run has kept, newest first.
std::vector<std::string> kept_weights(const std::string& folder) {
  constexpr std::string_view kStart = "step-", kEnd = ".safetensors";
  std::vector<std::pair<Index, std::string>> found;
  const std::string best = RunFolder(folder).best();
  if (!is_own_folder(best)) return {};
  for (const std::string& name : names_in(best)) {
    if (!name.starts_with(kStart) || !name.ends_with(kEnd)) continue;
    const auto step =
        parse_whole(std::string_view(name).substr(kStart.size(), name.find('.') - kStart.size()));
    if (step) found.emplace_back(*step, best + "/" + name);
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> paths;
  for (const auto& [step, path] : found) paths.push_back(path);
  return paths;
}

std::vector<std::string> chosen(const Options& options, const std::string& folder) {
  if (!options.files.empty()) return options.files;
  std::vector<std::string> paths = kept_weights(folder);
  if (paths.empty())
    fail(Fault::input, folder, "/best: no step-N.safetensors to average; train with: regard train ",
         "--model ", folder, ", or name files");
  if (options.last && static_cast<std::size_t>(*options.last) < paths.size())
    paths.resize(static_cast<std::size_t>(*options.last));
  return paths;
}

int run(const Options& options) {
  check(options.out && !options.out->empty(), "average needs --out, a folder for the new model");
  check(options.files.empty() || !options.last, "give files or --last, not both");
  const std::string folder = model_folder(options.model), &out = *options.out;
  const std::vector<std::string> paths = chosen(options, folder);
  std::vector<std::string> inputs = model_files(options.model);
  inputs.insert(inputs.end(), paths.begin(), paths.end());
  const LoadedModel loaded = open_model(options.model);
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
  std::string text = fmt::format("{}: the mean of {}\n", visible(out), paths.size());
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
