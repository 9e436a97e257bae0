#pragma once

#include <string_view>

#include "regard/cli/source.h"
#include "regard/tensor/tensor.h"

namespace regard {

/// Rows of numbers as text -> [rows, columns] of f64.
/// Typed inline, rows end in ';' or a line end, and commas or spaces stand between numbers:
/// "1,3,2;1,1,3". In a file a row is a line, and between numbers stands the first of tab, ';' and
/// ',' that the first line holds, else spaces; blank lines and lines from '#' on are skipped, and
/// so is a first line without any number, a header.
/// Throws Error naming row and column (from 1) for text, a missing or not finite number, a row
/// of another length, or no number at all.
Tensor parse_separated(std::string_view text, const InputSource& source);

}  // namespace regard
