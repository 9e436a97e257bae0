#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regard/model/run_folder.h"

namespace regard {

// Sentences that a model does well, from what it was validated on; training chooses them. They are
// in examples.json of its folder: {"schema":1,"examples":["..",".."]}.

inline constexpr std::size_t kMaxExamples = 8;
inline constexpr std::size_t kMaxExampleBytes = 400;

/// Whether a text may be one: valid UTF-8, not empty, not too long, no control character.
bool fits_as_example(std::string_view text);

/// Those of a folder. None if there is no such file; none and a warning if something in it is not
/// as described here: a model does not need it.
std::vector<std::string> read_examples(const RunFolder& folder);

/// Replaces the file in one piece.   REQUIRES that all fit
void write_examples(const RunFolder& folder, const std::vector<std::string>& examples);

}  // namespace regard
