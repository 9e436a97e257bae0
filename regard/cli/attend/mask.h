#pragma once

#include <string>

#include "regard/ops/mask.h"

namespace regard {

/// "full", "causal", "window:L,R" (L keys back, R ahead), or a matrix of 0 (hidden) and 1 (seen),
/// [T, S] or [B, T, S], inline or in a file. Throws Error if it is none of these or does not
/// fit; exit code 3 if that is the fault of a file.
Mask parse_mask(const std::string& given, const ScoreShape& shape);

/// "2,6": the number of leading keys that are real, one a batch row (B numbers) or one a query
/// (B * T numbers, row by row).
Mask parse_valid_lens(const std::string& given, const ScoreShape& shape);

}  // namespace regard
