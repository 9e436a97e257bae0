#include "regard/image/scenes/corpus.h"

#include <utility>

#include "regard/base/rng.h"
#include "regard/image/scenes/content.h"
#include "regard/image/scenes/layout.h"
#include "regard/image/scenes/split.h"

namespace regard::scenes {

Scene scene(const ScenesSpec& spec, Index i) {
  const bool unseen = spec.split == Split::test && i % 2 == 1;
  const Rng rng = Rng(spec.seed)
                      .fork(kBuiltinScenes)
                      .fork(name(spec.split))
                      .fork(static_cast<std::uint64_t>(i));
  for (std::uint64_t attempt = 0;; ++attempt) {
    Dice dice(rng.fork(attempt));
    Content content = drawn_content(dice);
    if (holds_unseen_pair(content) != unseen || split_of(content) != spec.split) continue;
    return laid_out(std::move(content), dice);
  }
}

}  // namespace regard::scenes
