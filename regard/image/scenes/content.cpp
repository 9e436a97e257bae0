#include "regard/image/scenes/content.h"

#include <algorithm>
#include <utility>

namespace regard::scenes {
namespace {

Content::Object drawn_object(Dice& dice) {
  return {.shape = static_cast<std::size_t>(dice.below(static_cast<Index>(shapes().size()))),
          .colour = static_cast<std::size_t>(dice.below(static_cast<Index>(colours().size()))),
          .size = static_cast<Size>(dice.below(2))};
}

/// So many objects, no two alike, at most `max_large` of them large.
std::vector<Content::Object> drawn_objects(Dice& dice, std::size_t count,
                                           std::ptrdiff_t max_large) {
  std::vector<Content::Object> objects;
  while (objects.size() < count) {
    const Content::Object object = drawn_object(dice);
    const bool fits = object.size == Size::small ||
                      std::ranges::count(objects, Size::large, &Content::Object::size) < max_large;
    if (fits && std::ranges::find(objects, object) == objects.end()) objects.push_back(object);
  }
  return objects;
}

Direction drawn_direction(Dice& dice) {
  return static_cast<Direction>(dice.below(4));
}

Content alone(Dice& dice) {
  return {.arrangement = Arrangement::alone,
          .direction = static_cast<Direction>(dice.below(5)),
          .objects = drawn_objects(dice, 1, 1)};
}

Content beside(Dice& dice) {
  Content content{.arrangement = Arrangement::beside,
                  .direction = drawn_direction(dice),
                  .objects = drawn_objects(dice, 2, 2)};
  if (content.objects[0].size == content.objects[1].size)
    content.direction = is_horizontal(content.direction) ? Direction::left : Direction::above;
  else if (content.objects[0].size == Size::large)
    std::swap(content.objects[0], content.objects[1]);
  return content;
}

// Two large ones and a third would fill the whole width, and nothing could move.
Content between(Dice& dice) {
  return {.arrangement = Arrangement::between,
          .direction = dice.below(2) == 0 ? Direction::left : Direction::above,
          .objects = drawn_objects(dice, 3, 1)};
}

Content corner(Dice& dice) {
  return {.arrangement = Arrangement::corner,
          .direction = dice.below(2) == 0 ? Direction::left : Direction::right,
          .second = dice.below(2) == 0 ? Direction::above : Direction::below,
          .objects = drawn_objects(dice, 3, 3)};
}

Content together(Dice& dice) {
  return {.arrangement = Arrangement::together,
          .direction = drawn_direction(dice),
          .objects = drawn_objects(dice, 3, 3)};
}

}  // namespace

Content drawn_content(Dice& dice) {
  const Index percent = dice.below(100);
  if (percent < 16) return alone(dice);
  if (percent < 58) return beside(dice);
  if (percent < 70) return between(dice);
  if (percent < 86) return corner(dice);
  return together(dice);
}

}  // namespace regard::scenes
