#pragma once

#include "regard/batch/builtin/corpus.h"
#include "regard/image/scenes/scene.h"

namespace regard::scenes {

/// Whether a shape of this colour is kept for the test split: of each shape one colour, so 8 pairs
/// of 64.
bool is_held_out(const Content::Object& object);

/// Whether a content holds a pair of shape and colour that no train or valid scene of any seed
/// holds.
bool holds_unseen_pair(const Content& content);

/// The split of a content, a pure function of it: test if it holds an unseen pair; of the others
/// one in 10 is test and one in 10 valid.
Split split_of(const Content& content);

}  // namespace regard::scenes
