#pragma once

#include "regard/image/scenes/dice.h"
#include "regard/image/scenes/scene.h"

namespace regard::scenes {

/// Draws where the objects of a content stand, how large they are exactly and in which shades. No
/// two come within 4 pixels of each other; each relation is much further in its own direction than
/// across it.
Scene laid_out(Content content, Dice& dice);

}  // namespace regard::scenes
