#pragma once

#include "regard/image/scenes/dice.h"
#include "regard/image/scenes/scene.h"

namespace regard::scenes {

/// Draws what a scene shows. The order of the objects is one that the picture tells: of two the
/// smaller one first, or where both are as large the left or upper one; in a row or column the one
/// in the middle, then left to right or top to bottom; in a corner the one in the corner, then its
/// neighbour in the row; of two together the left or upper one first, and last what they are
/// together beside.
Content drawn_content(Dice& dice);

}  // namespace regard::scenes
