#pragma once

#include "regard/image/scenes/scene.h"

namespace regard::scenes {

/// The picture of a scene, kSide x kSide, with soft edges; the same bytes on every machine.
Image painted(const Scene& scene);

/// What an object of the scene covers: the smallest box of all pixels that it colours.
PixelBox box_of(const Scene& scene, std::size_t object);

}  // namespace regard::scenes
