#include "regard/cli/inspect/picture.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/cli/caption/captioned_picture.h"
#include "regard/cli/figure/look_figure.h"
#include "regard/cli/inspect/show.h"
#include "regard/cli/standard_output.h"
#include "regard/decode/score.h"
#include "regard/image/fit.h"
#include "regard/image/png_reader.h"
#include "regard/image/source.h"
#include "regard/model/architecture.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

/// What is said of the picture, and how probable each token of it was.
struct Said {
  std::vector<std::int32_t> ids;
  std::vector<double> log_probabilities;
};

Said said_of(const LoadedModel& model, const Image& square, const PictureToInspect& picture) {
  if (!picture.reference) {
    const auto found = captions_of(
        model, [&](Index) { return square; }, 1, picture.decode);
    const Hypothesis& best = found.front().front();
    return {best.ids, best.token_log_probabilities};
  }
  const std::vector<std::vector<std::int32_t>> source{source_of(square, grid_of(model.info.spec))},
      target{model.info.target->encode(*picture.reference)};
  return {target.front(), score_pairs(*model.model, source, target).front().tokens};
}

/// The head of the view; without one the one that its config names.
AlignmentHead head_of(const View& view, const AlignmentHead& chosen) {
  if (view.alignment) return chosen;
  return {.layer = view.layer.value_or(-1), .head = view.head.value_or(-1)};
}

/// The trace of a picture: every head of cross-attention, every weight.
Json trace_of(const LoadedModel& model, const Image& square, const Said& said,
              const std::string& path) {
  const ModelSpec& spec = model.info.spec;
  Json trace{{"schema", 1},
             {"picture", path},
             {"caption", model.info.target->decode(said.ids)},
             {"patches_across", grid_of(spec).across()},
             {"words", Json::array()},
             {"heads", Json::array()}};
  const std::vector<std::string> words = token_texts(*model.info.target, said.ids);
  for (std::size_t t = 0; t < words.size(); ++t)
    trace["words"].push_back(
        {{"text", words[t]}, {"probability", elementary::exp(said.log_probabilities[t])}});
  for (Index layer = 0; layer < layers_of(spec, AttentionKind::cross); ++layer)
    for (Index head = 0; head < heads_of(spec, AttentionKind::cross); ++head)
      trace["heads"].push_back(
          {{"layer", layer},
           {"head", head},
           {"weights", looks_of(model, square, said.ids, {.layer = layer, .head = head})}});
  return trace;
}

std::string as_text(const LookSheet& sheet, const Said& said) {
  std::string text = sheet.title + "\n\n";
  for (std::size_t t = 0; t < sheet.looks.size(); ++t)
    text += fmt::format("{:>7.4f}  {}\n", elementary::exp(said.log_probabilities[t]),
                        sheet.looks[t].word);
  HeatMap map = heat_map_of(sheet);
  map.title = sheet.subtitle;
  map.subtitle.clear();
  return text + "\n" + terminal(map, output_terminal());
}

}  // namespace

int inspect_picture(const LoadedModel& model, const PictureToInspect& picture,
                    const FigureFiles& files, const std::vector<OutputFile>& outputs) {
  const View view = view_of(picture.view, model.info.spec);
  check(view.kind == AttentionKind::cross,
        "of a picture the heads that look at it are shown, --kind cross");
  for (const char* option : {"--html", "--npz"})
    check(!files.given(option), option, " is of sentences; a picture has --svg, --json and others");
  const Image square = fit_to_square(read_png(picture.path), model.info.spec.image_size);
  const Said said = said_of(model, square, picture);
  const LookSheet sheet = look_sheet(model, square, said.ids, head_of(view, model.info.alignment));
  const auto shown = write_figures(outputs, files.overwrite, [&](const std::string& option) {
    if (is_drawn(option)) return drawn(option, sheet, files);
    return trace_of(model, square, said, picture.path).dump() + "\n";
  });
  write_output(shown ? *shown : as_text(sheet, said));
  return 0;
}

}  // namespace regard
