#pragma once

#include <string_view>

#include "regard/base/real.h"

namespace regard::measure {

/// The edits of TER for one line: moves of runs of words, then words inserted, deleted or replaced.
/// Words are numbers, as for ngrams().
Index translation_edits(std::u32string_view hypothesis, std::u32string_view reference);

}  // namespace regard::measure
