#include "regard/cli/classify/labelled_picture.h"

#include <fmt/format.h>

#include <utility>

#include "regard/image/fit.h"
#include "regard/image/png_reader.h"
#include "regard/image/source.h"
#include "regard/trace/label_trace.h"
#include "regard/trace/picture_looks.h"

namespace regard {

LabelledPicture labelled_picture(const Loaded<LabelModel>& model, const std::string& path,
                                 const TraceRequest& request) {
  Image square = fit_to_square(read_png(path), model.info.spec.image_size);
  Trace trace = trace_label(model, path, source_of(square, grid_of(model.info.spec)), request);
  return {std::move(square), std::move(trace)};
}

std::vector<double> class_look(const TracedHead& head) {
  return {head.weights.begin() + 1, head.weights.begin() + head.cols};
}

LookSheet look_sheet(const LabelledPicture& picture, const View& view) {
  const TracedLabel& label = picture.trace.labels.front();
  LookSheet sheet{.title = fmt::format("{} {:.4f}", label.label, label.probability),
                  .subtitle = fmt::format("where {} looks, layer.head", kClassToken),
                  .picture = picture.square,
                  .across = grid_of(picture.trace.spec).across()};
  for (const TracedHead* head : heads_in(view, picture.trace))
    sheet.looks.push_back(
        {fmt::format("{}.{}", head->layer + 1, head->head + 1), class_look(*head)});
  return sheet;
}

}  // namespace regard
