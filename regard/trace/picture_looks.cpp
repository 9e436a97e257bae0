#include "regard/trace/picture_looks.h"

#include "regard/decode/gaze.h"
#include "regard/image/source.h"

namespace regard {

PatchGrid grid_of(const ModelSpec& spec) {
  return {.side = spec.image_size, .patch = spec.image_patch};
}

std::vector<std::vector<double>> looks_of(const LoadedModel& model, const Image& square,
                                          const std::vector<std::int32_t>& ids,
                                          const AlignmentHead& head) {
  const PatchGrid grid = grid_of(model.info.spec);
  const SaidOfSource pair{source_of(square, grid), ids};
  const std::vector<double> weights =
      gazes(*model.model, std::span(&pair, 1), head).front().values();
  std::vector<std::vector<double>> looks;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(t) * grid.count();
    looks.emplace_back(begin, begin + grid.count());
  }
  return looks;
}

std::vector<std::string> token_texts(const Tokenizer& tokenizer,
                                     std::span<const std::int32_t> ids) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < ids.size(); ++i) texts.push_back(tokenizer.decode(ids.subspan(i, 1)));
  return texts;
}

}  // namespace regard
