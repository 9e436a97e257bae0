#include "regard/cli/caption/captioned_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "regard/image/source.h"
#include "regard/trace/picture_looks.h"

namespace regard {

std::vector<std::vector<Hypothesis>> captions_of(const LoadedModel& model,
                                                 const std::function<Image(Index)>& square,
                                                 Index count, const DecodeSpec& spec) {
  constexpr Index kTogether = 256;  // so many have their levels in memory as numbers
  const PatchGrid grid = grid_of(model.info.spec);
  DecodeSpec decode = spec;
  decode.max_length = max_output_tokens(model.info.spec, decode.max_length);
  std::vector<std::vector<Hypothesis>> all;
  for (Index begin = 0; begin < count; begin += kTogether) {
    std::vector<std::vector<std::int32_t>> sources;
    std::vector<SourcePlace> places;
    for (Index i = begin; i < std::min(count, begin + kTogether); ++i) {
      sources.push_back(source_of(square(i), grid));
      places.push_back({.line = i});
    }
    for (std::vector<Hypothesis>& best :
         translate(*model.model, sources, decode, {.places = places}))
      all.push_back(std::move(best));
  }
  return all;
}

std::string described(const AlignmentHead& head) {
  const auto which = [](const char* what, Index number) {
    return number < 0 ? fmt::format("all {}s", what) : fmt::format("{} {}", what, number + 1);
  };
  return which("layer", head.layer) + ", " + which("head", head.head);
}

LookSheet look_sheet(const LoadedModel& model, const Image& square,
                     const std::vector<std::int32_t>& ids, const AlignmentHead& head) {
  LookSheet sheet{.title = model.info.target->decode(ids),
                  .subtitle = described(head),
                  .picture = square,
                  .across = grid_of(model.info.spec).across()};
  const std::vector<std::string> words = token_texts(*model.info.target, ids);
  std::vector<std::vector<double>> looks = looks_of(model, square, ids, head);
  for (std::size_t t = 0; t < words.size(); ++t)
    sheet.looks.push_back({words[t], std::move(looks[t])});
  return sheet;
}

}  // namespace regard
