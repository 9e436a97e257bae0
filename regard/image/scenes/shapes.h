#pragma once

#include <optional>
#include <string_view>

#include "regard/image/scenes/corpus.h"

namespace regard::scenes {

/// The object of a content that is larger than all others, if there is one.
std::optional<std::size_t> largest(const Content& content);

/// The shape of that object, in English: the label of a scene of builtin:shapes.   REQUIRES one
std::string_view largest_shape(const Content& content);

/// Scene i of the built-in corpus builtin:shapes, a pure function of these: one to three objects,
/// of which one is the largest. The shapes of the largest take turns, so that each is as frequent
/// as the others. Contents fall into splits as those of builtin:scenes do; in test, the largest of
/// scenes of odd i is an unseen pair of shape and colour, and the others hold none.
Scene shape_scene(const ScenesSpec& spec, Index i);

}  // namespace regard::scenes
