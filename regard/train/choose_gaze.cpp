#include "regard/train/choose_gaze.h"

#include <algorithm>

#include "regard/decode/alignment.h"
#include "regard/image/source.h"
#include "regard/model/architecture.h"
#include "regard/train/box_mass.h"

namespace regard {

AlignmentHead choose_gaze(const SequenceModel& model, const ModelInfo& info,
                          const CaptionExamples& examples) {
  constexpr Index kPictures = 200;
  const PatchGrid grid{.side = info.spec.image_size, .patch = info.spec.image_patch};
  std::vector<SaidOfSource> pairs;
  std::vector<Captioned> about;
  bool boxes = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::min(kPictures, examples.count()));
       ++i) {
    pairs.push_back(
        {source_of(examples.pictures->square(examples.chosen[i]), grid), examples.targets[i]});
    about.push_back(examples.pictures->about(examples.chosen[i]));
    boxes = boxes || !about.back().named.empty();
  }
  if (!boxes) {
    std::vector<PairToAlign> to_align;
    for (const SaidOfSource& pair : pairs)
      to_align.push_back({pair.source, pair.target, words_of_a_token(grid.count()),
                          info.target->words(pair.target)});
    return best_alignment_head(model, to_align);
  }
  AlignmentHead best;
  double most = -1;
  for (Index layer = 0; layer < layers_of(info.spec, AttentionKind::cross); ++layer)
    for (Index head = 0; head < heads_of(info.spec, AttentionKind::cross); ++head) {
      const AlignmentHead from{.layer = layer, .head = head};
      const std::vector<Tensor> looked = gazes(model, pairs, from);
      BoxMass sum;
      for (std::size_t i = 0; i < looked.size(); ++i)
        add(sum, looked[i], info.target->tokens(about[i].caption), about[i], grid);
      if (sum.mass <= most) continue;
      most = sum.mass;
      best = from;
    }
  return best;
}

}  // namespace regard
