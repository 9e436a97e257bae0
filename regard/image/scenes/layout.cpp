#include "regard/image/scenes/layout.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace regard::scenes {
namespace {

constexpr Index kMargin = 2, kGap = 4;  // pixels: at the edge, and between two objects

/// Where objects stand along one axis: the starts of their squares.
using Starts = std::vector<Index>;

/// One after the other, at least so far apart; the room that is left goes anywhere.
Starts in_line(std::span<const Index> lengths, Index gap, Dice& dice) {
  Index room = kSide - 2 * kMargin + gap;
  for (const Index length : lengths) room -= length + gap;
  Starts shifts;
  for (std::size_t i = 0; i < lengths.size(); ++i) shifts.push_back(dice.from(0, room));
  std::ranges::sort(shifts);
  Index taken = kMargin;
  Starts starts;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    starts.push_back(taken + shifts[i]);
    taken += lengths[i] + gap;
  }
  return starts;
}

/// The start of an object whose middle is at most `sway` off a point given in halves of a pixel.
Index around(Index doubled, Index length, Index sway, Dice& dice) {
  return std::clamp((doubled - length) / 2 + dice.from(-sway, sway), kMargin,
                    kSide - kMargin - length);
}

/// All on one line, each at most `sway` off it.
Starts level(std::span<const Index> lengths, Index sway, Dice& dice) {
  const Index longest = *std::ranges::max_element(lengths);
  const Index line = dice.from(kMargin * 2 + longest, (kSide - kMargin) * 2 - longest);  // halves
  Starts starts;
  for (const Index length : lengths) starts.push_back(around(line, length, sway, dice));
  return starts;
}

/// The two coordinates of each object: along the axis of the relation, and across it.
struct Places {
  Starts along, across;
};

bool comes_first(Direction direction) {
  return direction == Direction::left || direction == Direction::above;
}

Places beside(std::span<const Index> lengths, Direction direction, Dice& dice) {
  const bool first = comes_first(direction);
  const std::array<Index, 2> ordered{lengths[first ? 0 : 1], lengths[first ? 1 : 0]};
  Starts along = in_line(ordered, kGap, dice);
  const Index middles = along[1] - along[0] + (ordered[1] - ordered[0]) / 2;
  if (!first) std::swap(along[0], along[1]);
  return {along, level(lengths, middles / 6, dice)};
}

Places between(std::span<const Index> lengths, Dice& dice) {
  const std::array<Index, 3> ordered{lengths[1], lengths[0], lengths[2]};
  Starts along = in_line(ordered, kGap, dice);
  std::swap(along[0], along[1]);
  return {along, level(lengths, 2, dice)};
}

// A and B share a row, A and C a column: each axis has two lanes, and A stands in both.
Places corner(std::span<const Index> lengths, const Content& content, Dice& dice) {
  constexpr Index kApart = 22, kSway = 2;  // middles of lanes; off the middle of one's lane
  const auto lanes = [&](std::size_t companion, std::size_t other, Direction direction) {
    const Index shared = std::max(lengths[0], lengths[companion]);
    const bool first = comes_first(direction);
    const std::array<Index, 2> ordered{first ? shared : lengths[other],
                                       first ? lengths[other] : shared};
    const Starts line =
        in_line(ordered, std::max(kGap + kSway, kApart - (shared + lengths[other]) / 2), dice);
    const Index doubled = 2 * line[first ? 0 : 1] + shared;
    Starts starts(3);
    starts[other] = line[first ? 1 : 0];
    for (const std::size_t i : {std::size_t{0}, companion})
      starts[i] = around(doubled, lengths[i], kSway, dice);
    return starts;
  };
  return {lanes(2, 1, content.direction), lanes(1, 2, content.second)};
}

// A and B stand in one lane across the relation, C in the other, about half-way between them.
Places together(std::span<const Index> lengths, Direction direction, Dice& dice) {
  constexpr Index kApart = 22, kPairApart = 26, kPairMost = 34, kSway = 2;
  const Index pair = std::max(lengths[0], lengths[1]), half = (lengths[0] + lengths[1]) / 2;
  const bool first = comes_first(direction);
  const std::array<Index, 2> ordered{first ? pair : lengths[2], first ? lengths[2] : pair};
  const Starts lanes =
      in_line(ordered, std::max(kGap + kSway, kApart - (pair + lengths[2]) / 2), dice);
  const Index doubled = 2 * lanes[first ? 0 : 1] + pair;
  Places places{.along = {around(doubled, lengths[0], kSway, dice),
                          around(doubled, lengths[1], kSway, dice), lanes[first ? 1 : 0]},
                .across = {}};
  const Index apart = dice.from(kPairApart, kPairMost);
  const std::array<Index, 1> both{half + apart};
  const Index start = in_line(both, 0, dice).front();
  const Index last = start + half + apart - lengths[1];
  const Index middle = start + last + half;  // in halves: of the middles of A and B
  places.across = {start, last, around(middle, lengths[2], kSway, dice)};
  return places;
}

PixelBox alone(Index length, Direction direction, Dice& dice) {
  constexpr Index kCentre = kSide, kSway = 3, kReach = 36;  // doubled: middles nearer the edge
  const auto near_edge = [&](bool first) {
    const Index middle = dice.from(2 * kMargin + length, kReach);
    return ((first ? middle : 2 * kSide - middle) - length) / 2;
  };
  PixelBox square{around(kCentre, length, kSway, dice), around(kCentre, length, kSway, dice),
                  length, length};
  if (is_horizontal(direction)) square.x = near_edge(direction == Direction::left);
  if (direction == Direction::above || direction == Direction::below)
    square.y = near_edge(direction == Direction::above);
  return square;
}

std::vector<PixelBox> squares(const Content& content, std::span<const Index> lengths, Dice& dice) {
  if (content.arrangement == Arrangement::alone)
    return {alone(lengths[0], content.direction, dice)};
  Places places;
  if (content.arrangement == Arrangement::beside)
    places = beside(lengths, content.direction, dice);
  else if (content.arrangement == Arrangement::between)
    places = between(lengths, dice);
  else if (content.arrangement == Arrangement::corner)
    places = corner(lengths, content, dice);
  else
    places = together(lengths, content.direction, dice);
  if (!is_horizontal(content.direction)) std::swap(places.along, places.across);
  std::vector<PixelBox> result;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    result.push_back({places.along[i], places.across[i], lengths[i], lengths[i]});
  return result;
}

Index drawn_length(Size size, Dice& dice) {
  return dice.from(lengths_of(size).least, lengths_of(size).most);
}

Rgb shade(const Rgb& colour, Index most, Dice& dice) {
  Rgb shaded{};
  for (std::size_t i = 0; i < colour.size(); ++i)
    shaded[i] =
        static_cast<std::uint8_t>(std::clamp<Index>(colour[i] + dice.from(-most, most), 0, 255));
  return shaded;
}

}  // namespace

Scene laid_out(Content content, Dice& dice) {
  constexpr Index kBackgroundShade = 3, kPaintShade = 8;
  std::vector<Index> lengths;
  for (const Content::Object& object : content.objects)
    lengths.push_back(drawn_length(object.size, dice));
  const std::vector<PixelBox> places = squares(content, lengths, dice);
  Scene scene;
  const auto background =
      static_cast<std::size_t>(dice.below(static_cast<Index>(backgrounds().size())));
  scene.background = shade(backgrounds()[background], kBackgroundShade, dice);
  for (std::size_t i = 0; i < places.size(); ++i)
    scene.placed.push_back(
        {places[i], shade(colours()[content.objects[i].colour].paint, kPaintShade, dice)});
  scene.content = std::move(content);
  return scene;
}

}  // namespace regard::scenes
