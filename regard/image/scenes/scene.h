#pragma once

#include <vector>

#include "regard/image/image.h"
#include "regard/image/scenes/lexicon.h"

namespace regard::scenes {

inline constexpr Index kSide = 64;  ///< pixels of a picture, across and down

/// How long the squares are that objects of a size fill, in pixels.
struct Lengths {
  Index least, most;
};
constexpr Lengths lengths_of(Size size) {
  return size == Size::small ? Lengths{11, 13} : Lengths{20, 22};
}

/// How the objects of a scene stand to each other, which decides the sentence. A is the first of
/// them, B the second, C the third.
enum class Arrangement {
  alone,     ///< A in one of five places
  beside,    ///< A left of, right of, above or below B
  between,   ///< A between B and C, all in a row or in a column
  corner,    ///< A beside B in a row, and beside C in a column
  together,  ///< A and B side by side, both above C or below it; or one over the other, both left
             ///< or right of it
};

enum class Direction { left, right, above, below, middle };

constexpr bool is_horizontal(Direction direction) {
  return direction == Direction::left || direction == Direction::right;
}

/// What a scene shows, apart from where exactly.
struct Content {
  struct Object {
    std::size_t shape, colour;  ///< of shapes() and colours()
    Size size;

    bool operator==(const Object&) const = default;
  };

  Arrangement arrangement = Arrangement::alone;
  /// Of A: alone its place; beside and together the way it stands; in a corner the way it stands to
  /// B, left or right. Between is left for a row, above for a column.
  Direction direction = Direction::middle;
  Direction second = Direction::above;  ///< in a corner, the way A stands to C: above or below
  std::vector<Object> objects{};        ///< one to three, all different, in the order of mention

  bool operator==(const Content&) const = default;
};

/// A content with all that the picture needs.
struct Scene {
  /// Where an object is drawn and in which shade of its colour.
  struct Placed {
    PixelBox square{};  ///< the outline reaches from edge to edge, or nearly so
    Rgb paint{};
  };

  Content content{};
  std::vector<Placed> placed{};  ///< for each object
  Rgb background{};
};

}  // namespace regard::scenes
