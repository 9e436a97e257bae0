#include "regard/cli/inspect/labelled_picture.h"

#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/cli/classify/labelled_picture.h"
#include "regard/cli/figure/look_figure.h"
#include "regard/cli/inspect/show.h"
#include "regard/cli/standard_output.h"
#include "regard/trace/picture_looks.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

/// Every head, every weight of the class token's row.
Json trace_of(const LabelledPicture& picture, const std::string& path) {
  const Trace& trace = picture.trace;
  Json json{{"schema", 1},
            {"picture", path},
            {"label", trace.labels.front().label},
            {"probability", trace.labels.front().probability},
            {"labels", Json::array()},
            {"patches_across", grid_of(trace.spec).across()},
            {"heads", Json::array()}};
  for (const TracedLabel& each : trace.labels)
    json["labels"].push_back({{"label", each.label}, {"probability", each.probability}});
  for (const TracedHead& head : trace.attention)
    json["heads"].push_back({{"layer", head.layer},
                             {"head", head.head},
                             {"class", head.weights.front()},
                             {"weights", class_look(head)}});
  return json;
}

std::string as_text(const LabelledPicture& picture, const LookSheet& sheet) {
  const Terminal terminal = output_terminal();
  HeatMap map = heat_map_of(sheet);
  map.title = sheet.subtitle;
  map.subtitle.clear();
  return label_table(picture.trace, terminal) + "\n" + regard::terminal(map, terminal);
}

}  // namespace

int inspect_labelled_picture(const Loaded<LabelModel>& model, const std::string& path,
                             const View& view, Index top, const FigureFiles& files,
                             const std::vector<OutputFile>& outputs) {
  for (const char* option : {"--html", "--npz"})
    check(!files.given(option), option, " is of sentences; a picture has --svg, --json and others");
  const LabelledPicture picture =
      labelled_picture(model, path, {.kinds = {AttentionKind::encoder}, .top = top});
  const LookSheet sheet = look_sheet(picture, view);
  const auto shown = write_figures(outputs, files.overwrite, [&](const std::string& option) {
    if (is_drawn(option)) return drawn(option, sheet, files);
    return trace_of(picture, path).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  });
  write_output(shown ? *shown : as_text(picture, sheet));
  return 0;
}

}  // namespace regard
