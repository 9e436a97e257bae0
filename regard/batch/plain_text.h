#pragma once

#include "regard/batch/lines.h"
#include "regard/batch/pair_filter.h"

namespace regard {

/// A text that is no translation of anything, a sentence or a paragraph a line: pairs without a
/// source.
void read_plain_text(Lines& lines, PairFilter& filter);

}  // namespace regard
