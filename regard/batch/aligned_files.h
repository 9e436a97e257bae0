#pragma once

#include <string>

#include "regard/batch/pair_filter.h"

namespace regard {

/// Reads two files of one sentence a line, line i of one a translation of line i of the other.
/// Throws Error(input) with both counts unless they have as many lines.
void read_aligned_files(const std::string& source_path, const std::string& target_path,
                        PairFilter& filter);

}  // namespace regard
