#include "regard/image/scenes/lexicon.h"

#include "regard/image/scenes/outline.h"

namespace regard::scenes {
namespace {

constexpr bool kFeminine = true, kMasculine = false;

constexpr Shape kShapes[]{
    {"circle", "cercle", kMasculine, covers_circle},
    {"square", "carré", kMasculine, covers_square},
    {"triangle", "triangle", kMasculine, covers_triangle},
    {"heart", "cœur", kMasculine, covers_heart},
    {"ring", "anneau", kMasculine, covers_ring},
    {"star", "étoile", kFeminine, covers_star},
    {"cross", "croix", kFeminine, covers_cross},
    {"moon", "lune", kFeminine, covers_moon},
};

constexpr Colour kColours[]{
    {{"red", "rouge", "rouge"}, {214, 32, 42}},
    {{"orange", "orange", "orange"}, {250, 136, 20}},
    {{"yellow", "jaune", "jaune"}, {250, 208, 0}},
    {{"green", "vert", "verte"}, {36, 152, 66}},
    {{"blue", "bleu", "bleue"}, {36, 92, 226}},
    {{"purple", "violet", "violette"}, {134, 50, 178}},
    {{"pink", "rose", "rose"}, {250, 140, 190}},
    {{"black", "noir", "noire"}, {30, 30, 34}},
};

constexpr Rgb kBackgrounds[]{{252, 252, 252}, {240, 240, 242}, {250, 246, 236},
                             {234, 243, 250}, {236, 247, 238}, {245, 240, 250}};

constexpr Adjective kSizes[]{{"small", "petit", "petite"}, {"large", "grand", "grande"}};

}  // namespace

std::span<const Shape> shapes() {
  return kShapes;
}

std::span<const Colour> colours() {
  return kColours;
}

std::span<const Rgb> backgrounds() {
  return kBackgrounds;
}

const Adjective& word(Size size) {
  return kSizes[static_cast<std::size_t>(size)];
}

}  // namespace regard::scenes
