#include "regard/train/run_captions.h"

#include <utility>

#include "regard/base/check.h"
#include "regard/model/architecture.h"

namespace regard {
namespace {

const PictureCorpus& corpus() {
  return *find_picture_corpus(kBuiltinScenes);
}

}  // namespace

void check_run_captions(const Recipe& recipe) {
  check_run_pictures(recipe, corpus());
  const Index positions = max_positions(recipe.model), most = recipe.data.max_tokens;
  check(positions == 0 || most < positions, "captions of up to ", most,
        " tokens (data.max_tokens) do not fit ", positions,
        " learned positions (model.max_length); the latter must be larger");
}

RunCaptions read_run_captions(const Recipe& recipe, const RunRequest& request) {
  RunPictures found = read_run_pictures(recipe, request, corpus());
  RunCaptions captions{.train = {std::move(found.train), {}},
                       .valid = {std::move(found.valid), {}},
                       .note = std::move(found.note)};
  for (std::size_t i = 0; i < captions.train.chosen.size(); ++i)
    captions.captions.push_back(captions.train.about(i).caption);
  return captions;
}

Index encode(CaptionExamples& examples, const Tokenizer& tokenizer, Index max_tokens) {
  std::vector<Index> kept;
  examples.targets.clear();
  for (const Index i : examples.chosen) {
    std::vector<std::int32_t> ids = tokenizer.encode(examples.pictures->about(i).caption);
    if (static_cast<Index>(ids.size()) > max_tokens) continue;
    examples.targets.push_back(std::move(ids));
    kept.push_back(i);
  }
  const auto left_out = static_cast<Index>(examples.chosen.size() - kept.size());
  examples.chosen = std::move(kept);
  return left_out;
}

}  // namespace regard
