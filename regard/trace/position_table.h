#pragma once

#include <string>
#include <vector>

#include "regard/model/model_folder.h"

namespace regard {

/// What a position scheme adds to the embedding of each position.
struct PositionTable {
  std::string scheme;
  Index first = 0;            ///< what the first row's position is called
  Index rows = 0, cols = 0;   ///< positions, model width; 0 and 0 if nothing is added
  std::vector<float> values;  ///< [rows, cols]
  std::string note;           ///< why there are fewer rows than asked for, or none
};

/// The largest table that is made, in positions.
inline constexpr Index kMaxPositions = 4096;

/// The table of a model; of a learned one, of its source side. Throws Error(usage) if the length
/// is not in 1 .. kMaxPositions.
PositionTable position_table(const LoadedModel& model, Index length);

/// The table of a scheme by name. A learned one has none before it is trained. Throws Error(usage),
/// with the nearest name, if there is none of that name, and for sizes that make no sense.
PositionTable position_table(const std::string& scheme, Index length, Index width);

}  // namespace regard
