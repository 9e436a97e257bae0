#pragma once

#include "regard/batch/builtin/corpus.h"
#include "regard/image/scenes/scene.h"

namespace regard::scenes {

/// How many scenes of a split are taken unless set otherwise, and the most that may be asked for.
constexpr Index usual_scenes(Split split) {
  return split == Split::train ? 20'000 : 1'000;
}
inline constexpr Index kMaxScenes = 100'000;

struct ScenesSpec {
  Split split = Split::train;
  std::uint64_t seed = 1;
};

/// Scene i of the built-in corpus builtin:scenes, a pure function of these. A content, and with it
/// a caption, belongs to the same split for every seed. In test, scenes of odd i hold an unseen
/// pair, the others none (`holds_unseen_pair`).
Scene scene(const ScenesSpec& spec, Index i);

}  // namespace regard::scenes
