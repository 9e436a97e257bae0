#pragma once

#include <string_view>

#include "regard/batch/lines.h"
#include "regard/batch/pair_filter.h"

namespace regard {

/// Reads lines of "source TAB target" or "source TAB target TAB note". A note that is a word
/// alignment ("0-0 1-2") is kept as such; any other, like the attribution of Tatoeba, is not.
/// Lines with no tab, more than two, or an empty field are bad.
void read_tsv(Lines& lines, PairFilter& filter);

/// Whether a text is a word alignment in Moses form: "0-0 1-2".
bool is_alignment(std::string_view text);

}  // namespace regard
