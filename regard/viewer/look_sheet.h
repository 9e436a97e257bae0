#pragma once

#include <string>
#include <vector>

#include "regard/image/image.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// Where a model looked in a picture: as it said a word, or one of its heads.
struct Look {
  std::string word;             ///< above it: the word, or which head
  std::vector<double> weights;  ///< of each patch, in reading order
};

/// A contact sheet: the picture, and once more for each look under a veil, which is clear where the
/// model looked most and nearly hides where it did not look.
struct LookSheet {
  std::string title = {}, subtitle = {};
  Image picture = {};  ///< a square
  Index across = 0;    ///< patches of a row, and rows
  std::vector<Look> looks = {};
};

// Every text may hold any bytes. Same sheet, same bytes. All throw Error(usage) unless each look
// has a weight for each patch, and the picture is a square that patches fill.

std::string svg(const LookSheet& sheet);  ///< small sheets tell the weight under the pointer
std::string png(const LookSheet& sheet);
std::string pdf(const LookSheet& sheet);

/// The weights as maps, a panel for each look.
HeatMap heat_map_of(const LookSheet& sheet);

}  // namespace regard
