#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/cli/command.h"
#include "regard/cli/convert/receipt.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/output_folder.h"
#include "regard/cli/standard_output.h"
#include "regard/convert/target.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

struct Options {
  ModelOption model;
  std::optional<std::string> folder, to, out;
  std::vector<std::string> receipt;  // a source and its reference
  bool overwrite = false, json = false;
};

/// What f returns. That a model has no such form is the fault of its folder, and named so.
template <class F>
auto about(const std::string& folder, const F& f) {
  try {
    return f();
  } catch (const Error& error) {
    const bool of_the_model = error.fault == Fault::usage || error.fault == Fault::input;
    if (!of_the_model || !error.place.path.empty()) throw;
    fail(Blame(Fault::input).at(folder), folder, ": ", error.what());
  }
}

/// The source and its reference; none if none are named.
std::vector<Text> texts(const std::vector<std::string>& paths) {
  std::vector<Text> all;
  for (const std::string& path : paths) all.push_back(read_text(path));
  if (!all.empty()) check_lengths(all[0], all[1]);
  return all;
}

int run(Options options) {
  check(!options.folder || !options.model.folder, "name the model once: a folder, or --model");
  check(options.to.has_value(), "convert needs --to, the target format");
  check(options.out && !options.out->empty(), "convert needs --out, a folder for what it writes");
  if (options.folder) options.model.folder = options.folder;
  const ConvertTarget& target = find_convert_target(*options.to);
  check(
      options.receipt.empty() || target.rounds,
      "--receipt compares what regard itself translates before and after; it goes with --to int8");
  check(std::ranges::count(options.receipt, "-") <= 1,
        "--receipt: standard input can be read once; name a file for the other text");
  check(options.receipt.size() != 1,
        "--receipt takes two files: a text and its translation, as in --receipt test.en test.de");
  const std::string folder = model_folder(options.model);
  const std::string& out = *options.out;
  const ModelInfo info = load_info(folder);
  check(options.receipt.empty() || translates(info.spec), "--receipt compares translations, and a ",
        "model of architecture ", info.spec.architecture, " makes none; leave it out");
  std::vector<std::string> names = about(folder, [&] { return target.files(info); });
  if (target.rounds) names.insert(names.begin(), std::string(kReceiptFile));
  std::vector<OutputFile> outputs;
  for (const std::string& name : names)
    outputs.push_back({"--out", (std::filesystem::path(out) / name).string()});
  std::vector<std::string> inputs = model_files(options.model);
  inputs.insert(inputs.end(), options.receipt.begin(), options.receipt.end());
  check_outputs(outputs, inputs, options.overwrite);
  const std::vector<Text> text = texts(options.receipt);
  options.model.strict |= target.rounds;
  Loaded<Model> loaded = open_model(options.model);
  OutputFolder files(out, names);
  about(folder, [&] { target.write(loaded, files.draft()); });
  std::string shown = fmt::format("{}: {}\n", visible(out), target.summary);
  nlohmann::ordered_json about{{"schema", 1}, {"folder", out}, {"form", target.name}};
  if (target.rounds) {
    const Receipt receipt = receipt_of(folder, files.draft(), text);
    write_file(RunFolder(files.draft()).receipt(),
               receipt.json().dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    shown += receipt.shown();
    about["receipt"] = receipt.json();
  }
  files.publish(options.overwrite);
  write_output(options.json
                   ? about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                   : shown);
  return 0;
}

std::string footer() {
  std::string text = "Forms:\n";
  for (const ConvertTarget* target : all_convert_targets())
    text += fmt::format("  {:<13}{}\n", target->name, target->summary);
  return text +
         "\nint8 writes receipt.json too: the rounding error of each weight and the sizes; with\n"
         "--receipt also BLEU, chrF and the time of a translation before and after.\n"
         "\nExamples:\n"
         "  regard convert --to int8 runs/en-de --out runs/en-de-int8 --receipt test.en test.de\n"
         "  regard convert --to ctranslate2 runs/en-de --out runs/en-de-ct2";
}

void declare(CLI::App& app, Options& options) {
  add_word(app, {"folder", "DIR", "folder of the model"}, options.folder);
  declare(app, options.model);
  add_option(app, {"--to", "FORM", "target format, see below"}, options.to);
  add_option(app, {"-o,--out", "DIR", "output folder"}, options.out);
  add_pair(app, {"--receipt", "SRC REF", "translate SRC before and after and compare with REF"},
           options.receipt);
  add_flag(app, {"--overwrite", "", "replace existing files"}, options.overwrite);
  add_flag(app, {"--json", "", "one JSON object"}, options.json);
  add_footer(app, footer());
}

}  // namespace

extern const Command convert{
    .name = "convert",
    .summary = "a model in another form: int8, or for CTranslate2",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
