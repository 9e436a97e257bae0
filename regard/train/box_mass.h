#pragma once

#include <span>

#include "regard/decode/gaze.h"
#include "regard/image/captioned.h"
#include "regard/image/patches.h"
#include "regard/tokens/tokenizer.h"

namespace regard {

/// How much of the attention of words that name something lies in the box of what they name.
struct BoxMass {
  Index words = 0;
  double mass = 0;    ///< sum over the words; a patch counts by the share of it that is in the box
  double chance = 0;  ///< the same of attention that is everywhere alike: the box's share of the
                      ///< picture

  double mean_mass() const { return words == 0 ? 0 : mass / static_cast<double>(words); }
  double mean_chance() const { return words == 0 ? 0 : chance / static_cast<double>(words); }
  double times_chance() const { return chance == 0 ? 0 : mass / chance; }
};

/// Adds the tokens of a caption, where they belong to naming words.   REQUIRES gaze [tokens,
/// patches]
void add(BoxMass& sum, const Tensor& gaze, std::span<const Token> tokens, const Captioned& about,
         const PatchGrid& grid);

}  // namespace regard
