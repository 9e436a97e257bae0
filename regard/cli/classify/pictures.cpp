#include "regard/cli/classify/pictures.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "regard/batch/labelled_text.h"
#include "regard/cli/classify/labelled_picture.h"
#include "regard/cli/classify/report.h"
#include "regard/cli/figure/look_figure.h"
#include "regard/cli/inspect/show.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/decode/label_scores.h"
#include "regard/image/captioned.h"
#include "regard/image/fit.h"
#include "regard/image/png_reader.h"
#include "regard/image/source.h"
#include "regard/model/labels.h"
#include "regard/tokens/normalise.h"
#include "regard/trace/picture_looks.h"

namespace regard {
namespace {

constexpr std::string_view kPictures = "pictures";

bool stopped() {
  return StopSignal::caught() != 0;
}

std::int32_t label_of(const Captioned& about, const std::vector<std::string>& labels,
                      const std::string& list) {
  const std::string label = normalise(about.caption);
  if (const std::optional<std::int32_t> found = find_label(labels, label)) return *found;
  fail_unknown_label(list, about.line, label, labels);
}

/// All pictures, and those whose pair of shape and colour training never shows.
struct Found {
  Confusion all, unseen;

  explicit Found(Index labels) : all(labels), unseen(labels) {}

  /// "seen pairs ..., unseen pairs ..", of a test that has both.
  std::string by_pairs() const {
    const Index seen = all.total() - unseen.total(), right = all.right() - unseen.right();
    if (unseen.total() == 0 || seen == 0) return {};
    return fmt::format("seen pairs of shape and colour: {}, {} of {}; unseen pairs: {}, {} of {}\n",
                       per_cent(static_cast<double>(right) / static_cast<double>(seen)), right,
                       seen, per_cent(unseen.accuracy()), unseen.right(), unseen.total());
  }

  nlohmann::ordered_json as_json(const std::vector<std::string>& labels) const {
    nlohmann::ordered_json json = regard::as_json(all, labels, kPictures);
    if (unseen.total() > 0)
      json["unseen_pairs"] = {
          {"pictures", unseen.total()}, {"right", unseen.right()}, {"accuracy", unseen.accuracy()}};
    return json;
  }
};

}  // namespace

int label_pictures(const Loaded<LabelModel>& model, const std::vector<std::string>& paths,
                   const SayLabels& say, const FigureFiles& files,
                   const std::vector<OutputFile>& outputs) {
  const StopSignal signals;
  const PatchGrid grid = grid_of(model.info.spec);
  const auto source = [&](Index i) {
    const Image picture = read_png(paths[static_cast<std::size_t>(i)]);
    return source_of(fit_to_square(picture, grid.side), grid);
  };
  const auto scores = label_scores(*model.model, static_cast<Index>(paths.size()), source, stopped);
  std::string text;
  for (std::size_t i = 0; i < scores.size(); ++i) text += say(paths[i], scores[i]);
  if (!outputs.empty()) {
    const LookSheet sheet =
        look_sheet(labelled_picture(model, paths.front()), view_of({}, model.info.spec));
    const auto shown = write_figures(outputs, files.overwrite, [&](const std::string& option) {
      return drawn(option, sheet, files);
    });
    if (shown) text = *shown;
  }
  write_output(text);
  return stopped() ? 128 + StopSignal::caught() : 0;
}

int test_on_pictures(const Loaded<LabelModel>& model, const std::string& list,
                     const FigureFiles& files, const std::vector<OutputFile>& outputs) {
  const StopSignal signals;
  const std::vector<std::string>& labels = model.info.labels;
  const PatchGrid grid = grid_of(model.info.spec);
  const std::unique_ptr<CaptionedSet> pictures =
      test_pictures(list, *find_picture_corpus(kBuiltinShapes), "", grid.side);
  std::vector<std::int32_t> wanted;
  for (Index i = 0; i < pictures->count(); ++i)
    wanted.push_back(label_of(pictures->about(i), labels, list));
  const auto scores = label_scores(
      *model.model, pictures->count(),
      [&](Index i) { return source_of(pictures->square(i), grid); }, stopped);
  if (scores.size() < wanted.size()) return 128 + StopSignal::caught();
  Found found(static_cast<Index>(labels.size()));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int32_t said = likeliest(scores[i]);
    found.all.add(wanted[i], said);
    if (pictures->about(static_cast<Index>(i)).unseen) found.unseen.add(wanted[i], said);
  }
  const std::optional<std::string> text =
      write_figures(outputs, files.overwrite, [&](const std::string& option) {
        return is_drawn(option) ? drawn(option, picture_of(found.all, labels, kPictures), files)
                                : found.as_json(labels).dump() + "\n";
      });
  write_output(text ? *text
                    : found.by_pairs() + as_text(found.all, labels, kPictures, output_terminal()));
  return 0;
}

}  // namespace regard
