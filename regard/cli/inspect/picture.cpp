#include "regard/cli/inspect/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/cli/caption/captioned_picture.h"
#include "regard/cli/figure/look_figure.h"
#include "regard/cli/inspect/show.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/target_length.h"
#include "regard/decode/score.h"
#include "regard/image/fit.h"
#include "regard/image/png_reader.h"
#include "regard/image/source.h"
#include "regard/model/architecture.h"
#include "regard/trace/listening.h"
#include "regard/trace/picture_looks.h"

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
  check_length(model.info, target.front().size(), {.name = "--reference", .is_file = false}, 0);
  return {target.front(), score_pairs(*model.model, source, target).front().tokens};
}

/// The head of the view; without one the one that its config names.
AlignmentHead head_of(const View& view, const AlignmentHead& chosen) {
  if (view.alignment) return chosen;
  return {.layer = view.layer.value_or(-1), .head = view.head.value_or(-1)};
}

/// The model reads the picture and what is said of it once, and the heads of these kinds are kept.
/// Patches are called by row and column.
Trace traced(const LoadedModel& model, const Image& square, const Said& said,
             std::vector<AttentionKind> kinds) {
  const NoGrad quiet;
  const PatchGrid grid = grid_of(model.info.spec);
  Trace trace;
  trace.spec = model.info.spec;
  trace.source.text = model.info.target->decode(said.ids);  // what stands above its figures
  for (Index i = 0; i < grid.count(); ++i)
    trace.source.tokens.push_back(
        {.id = -1,
         .text = fmt::format("{},{}", i / grid.across() + 1, i % grid.across() + 1),
         .start = 0,
         .end = 0,
         .word = -1});
  trace.target = generated_text(*model.info.target, said.ids);
  std::vector<std::int32_t> decoder_input{kBos};
  decoder_input.insert(decoder_input.end(), said.ids.begin(), said.ids.end());
  const TraceRequest request{.kinds = std::move(kinds)};
  model.model->forward(TokenIds::ragged({source_of(square, grid)}),
                       TokenIds::ragged({decoder_input}), listening(request, trace));
  std::ranges::stable_sort(trace.attention, {}, &TracedHead::kind);
  return trace;
}

/// The rows of a head. Of a decoder's the last, which says the end, is left out, and so is what it
/// alone sees: each row belongs to a word.
Json weights_of(const TracedHead& head) {
  const Index rows = head.kind == AttentionKind::encoder ? head.rows : head.rows - 1;
  const Index cols = head.kind == AttentionKind::decoder ? head.cols - 1 : head.cols;
  Json weights = Json::array();
  for (Index row = 0; row < rows; ++row) {
    const auto begin = head.weights.begin() + static_cast<std::ptrdiff_t>(row * head.cols);
    weights.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(cols)));
  }
  return weights;
}

/// The trace of a picture: every head, every weight.
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
  const Trace heads = traced(model, square, said, TraceRequest().kinds);
  for (const TracedHead& head : heads.attention)
    trace["heads"].push_back({{"kind", name(head.kind)},
                              {"layer", head.layer},
                              {"head", head.head},
                              {"weights", weights_of(head)}});
  return trace;
}

std::string as_text(const Said& said, const std::vector<std::string>& words, HeatMap map) {
  std::string text = map.title + "\n\n";
  for (std::size_t t = 0; t < words.size(); ++t)
    text += fmt::format("{:>7.4f}  {}\n", elementary::exp(said.log_probabilities[t]), words[t]);
  map.title = std::move(map.subtitle);
  map.subtitle.clear();
  return text + "\n" + terminal(map, output_terminal());
}

/// How heads are shown: as maps, and where they look at the picture, also as the picture itself.
struct Shown {
  HeatMap map;
  std::optional<LookSheet> sheet{};
};

Shown shown_in(const View& view, const LoadedModel& model, const Image& square, const Said& said) {
  if (view.kind != AttentionKind::cross)
    return {.map = figure_of(view, traced(model, square, said, {view.kind}))};
  LookSheet sheet = look_sheet(model, square, said.ids, head_of(view, model.info.alignment));
  HeatMap map = heat_map_of(sheet);
  return {.map = std::move(map), .sheet = std::move(sheet)};
}

}  // namespace

int inspect_picture(const LoadedModel& model, const PictureToInspect& picture,
                    const FigureFiles& files, const std::vector<OutputFile>& outputs) {
  const View view = view_of(picture.view, model.info.spec);
  for (const char* option : {"--html", "--npz"})
    check(!files.given(option), option, " is of sentences; a picture has --svg, --json and others");
  const Image square = fit_to_square(read_png(picture.path), model.info.spec.image_size);
  const Said said = said_of(model, square, picture);
  const Shown shown = shown_in(view, model, square, said);
  const auto written = write_figures(outputs, files.overwrite, [&](const std::string& option) {
    if (is_drawn(option))
      return shown.sheet ? drawn(option, *shown.sheet, files) : drawn(option, shown.map, files);
    return trace_of(model, square, said, picture.path)
               .dump(-1, ' ', false, Json::error_handler_t::replace) +
           "\n";
  });
  write_output(written ? *written
               : picture.quiet
                   ? shown.map.title + "\n"
                   : as_text(said, token_texts(*model.info.target, said.ids), shown.map));
  return 0;
}

}  // namespace regard
