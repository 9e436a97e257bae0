#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/cli/caption/captioned_picture.h"
#include "regard/cli/caption/test_report.h"
#include "regard/cli/command.h"
#include "regard/cli/figure/figure_files.h"
#include "regard/cli/figure/look_figure.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/target_length.h"
#include "regard/cli/translate/decode_options.h"
#include "regard/image/boxes_file.h"
#include "regard/image/fit.h"
#include "regard/image/png_reader.h"
#include "regard/model/architecture.h"
#include "regard/trace/caption_json.h"

namespace regard::commands {
namespace {

struct Options {
  ModelOption model{.hint = {.flags = "--arch caption ",
                             .text = "LIST.tsv",
                             .builtin = "builtin:scenes",
                             .folder = "runs/scenes"}};
  std::vector<std::string> pictures;
  DecodeOptions decode;
  std::optional<std::string> test;
  FigureFiles files;
  bool scores = false;
};

constexpr const char* kFooter =
    R"(Says what pictures show with a model of architecture caption, a line for each. Pictures are PNG files;
one that is no square is scaled to its longer side, with white around it. A figure shows one picture,
and once more for every word under a veil that is clear where the model looked as it said that word,
by the head that was chosen when the model was trained.

--test captions pictures whose captions are known, and tells how many are exact; where it is known what
the words name, also how much of their attention lies in the box of that. Of a list test.tsv (or
test.en.tsv) that stands in test.boxes.jsonl beside it, as regard corpus builtin:scenes writes it.

Examples:
  regard caption --model runs/scenes scene.png
  regard caption --model runs/scenes scene.png --svg look.svg
  regard caption --model runs/scenes *.png --json
  regard caption --model runs/scenes --test builtin:scenes
  regard caption --model runs/own --test own/test.tsv)";

using Json = nlohmann::ordered_json;

LoadedModel open_captioner(const ModelOption& option) {
  LoadedModel loaded = open_kind<SequenceModel>(option);
  const Architecture& made = find_architecture(loaded.info.spec.architecture);
  if (made.reads != Reads::image)
    fail(Blame(Fault::usage).at(*option.folder), *option.folder, ": a model of architecture ",
         made.name, " reads no pictures; use: regard ", made.command, " --model ", *option.folder,
         ", or train one that does: regard train --arch caption");
  return loaded;
}

/// A picture as the model sees it, and what it says of it.
struct Told {
  std::string path;
  Image square;
  std::vector<Hypothesis> best;
};

std::string as_json(const LoadedModel& model, const Told& told) {
  Json object{{"schema", 1}, {"picture", told.path}};
  object.update(caption_json(model, told.square, told.best));
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// One line for each caption; numbered as Moses does, from 0, where there are several of a picture.
std::string as_lines(const LoadedModel& model, const Told& told, std::size_t number, bool scores) {
  std::string lines;
  for (const Hypothesis& each : told.best) {
    const std::string text = model.info.target->decode(each.ids);
    if (told.best.size() > 1)
      lines += fmt::format("{} ||| {} ||| {:.4f}\n", number, text, each.score);
    else if (scores)
      lines += fmt::format("{}\t{:.4f}\n", text, each.score);
    else
      lines += text + "\n";
  }
  return lines;
}

/// Captions as they should be must fit the model, which reads them to tell where it looks.
void check_lengths(const CaptionedSet& pictures, const ModelInfo& info, const std::string& list) {
  for (Index i = 0; max_positions(info.spec) > 0 && i < pictures.count(); ++i) {
    const Captioned about = pictures.about(i);
    check_length(info, info.target->encode(about.caption).size(),
                 {.name = about.line > 0 ? list : about.name, .is_file = true}, about.line);
  }
}

int test(const Options& options) {
  const DecodeSpec decode = decode_spec(options.decode);
  const LoadedModel model = open_captioner(options.model);
  const Index side = model.info.spec.image_size;
  const std::unique_ptr<CaptionedSet> pictures =
      test_pictures(*options.test, *find_picture_corpus(kBuiltinScenes), model.info.to, side);
  check_lengths(*pictures, model.info, *options.test);
  const auto found = captions_of(
      model, [&](Index i) { return pictures->square(i); }, pictures->count(), decode);
  const std::vector<CaptionScore> scores = caption_scores(model, *pictures, found);
  write_output(options.files.json
                   ? as_json(scores, model.info.alignment).dump() + "\n"
                   : as_text(scores, model.info.alignment, boxes_path(*options.test)));
  return 0;
}

int caption_all(const Options& options, const std::vector<OutputFile>& outputs) {
  const DecodeSpec decode = decode_spec(options.decode);
  const LoadedModel model = open_captioner(options.model);
  const Index side = model.info.spec.image_size;
  std::vector<Told> all;
  for (const std::string& path : options.pictures)
    all.push_back({path, fit_to_square(read_png(path), side), {}});
  auto found = captions_of(
      model, [&](Index i) { return all[static_cast<std::size_t>(i)].square; },
      static_cast<Index>(all.size()), decode);
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].best = std::move(found[i]);
    text +=
        options.files.json ? as_json(model, all[i]) : as_lines(model, all[i], i, options.scores);
  }
  if (!outputs.empty()) {
    const Told& told = all.front();
    const LookSheet sheet =
        look_sheet(model, told.square, told.best.front().ids, model.info.alignment);
    const auto shown = write_figures(
        outputs, options.files.overwrite,
        [&](const std::string& option) { return drawn(option, sheet, options.files); });
    if (shown) text = *shown;
  }
  write_output(text);
  return 0;
}

int run(const Options& options) {
  std::vector<OutputFile> outputs = outputs_of(options.files);
  std::erase_if(outputs, [](const OutputFile& each) { return each.option == "--json"; });
  check(options.test.has_value() == options.pictures.empty(),
        "caption needs PNG files, or --test with known captions, and not both");
  check(!options.test || outputs.empty(), "figures show one picture; leave --test out");
  check(outputs.empty() || options.pictures.size() == 1, "figures show one picture, not ",
        options.pictures.size(), "; give one at a time");
  check(!options.test || !options.scores, "--scores are of captions; leave --test out");
  std::vector<std::string> inputs = model_files(options.model);
  inputs.insert(inputs.end(), options.pictures.begin(), options.pictures.end());
  std::vector<OutputFile> written = outputs;
  if (options.files.json) written.push_back({"--json", "-"});
  check_outputs(written, inputs, options.files.overwrite);
  return options.test ? test(options) : caption_all(options, outputs);
}

void declare(CLI::App& app, Options& options) {
  add_words(app, {"pictures", "PNG..", "pictures to say something of"}, options.pictures);
  declare(app, options.model);
  add_option(app, {"--test", "LIST", "builtin:scenes, or lines of path, tab and caption", "Test"},
             options.test);
  declare(app, options.decode, "patches");
  declare_figures(app, options.files, "where the model looked", "the caption, and which head");
  declare_json(app, options.files, "one JSON object per picture, with all weights");
  add_flag(app, {"--scores", "", "add a tab and the score", "Output"}, options.scores);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command caption{
    .name = "caption",
    .summary = "say what pictures show, and where the model looked",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
