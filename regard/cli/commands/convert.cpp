#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/output_folder.h"
#include "regard/cli/standard_output.h"
#include "regard/convert/target.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

struct Options {
  ModelOption model;
  std::optional<std::string> folder, to, out;
  bool overwrite = false;
};

int run(Options options) {
  check(!options.folder || !options.model.folder, "name the model once: a folder, or --model");
  check(options.to.has_value(), "convert needs --to, what to make of the model");
  check(options.out && !options.out->empty(), "convert needs --out, a folder for what it writes");
  if (options.folder) options.model.folder = options.folder;
  const ConvertTarget& target = find_convert_target(*options.to);
  const std::string folder = model_folder(options.model), &out = *options.out;
  const std::vector<std::string> names = target.files(load_card(folder));
  std::vector<OutputFile> outputs;
  for (const std::string& name : names)
    outputs.push_back({"--out", (std::filesystem::path(out) / name).string()});
  check_outputs(outputs, model_files(options.model), options.overwrite);
  const LoadedModel loaded = open_model(options.model);
  OutputFolder files(out, names);
  target.write(loaded, files.draft());
  files.publish(options.overwrite);
  write_output(fmt::format("{}: {}\n", visible(out), target.summary));
  return 0;
}

std::string footer() {
  std::string text = "Forms:\n";
  for (const ConvertTarget* target : all_convert_targets())
    text += fmt::format("  {:<13}{}\n", target->name, target->summary);
  return text + "\nExample:\n  regard convert --to ctranslate2 runs/en-de --out runs/en-de-ct2";
}

void declare(CLI::App& app, Options& options) {
  add_word(app, {"folder", "DIR", "folder of the model"}, options.folder);
  declare(app, options.model);
  add_option(app, {"--to", "FORM", "what to make of it, see below"}, options.to);
  add_option(app, {"-o,--out", "DIR", "folder for what it writes"}, options.out);
  add_flag(app, {"--overwrite", "", "replace files that are there"}, options.overwrite);
  add_footer(app, footer());
}

}  // namespace

extern const Command convert{
    .name = "convert",
    .summary = "a model in another form, as for CTranslate2",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
