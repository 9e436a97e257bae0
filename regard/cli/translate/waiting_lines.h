#pragma once

#include <functional>
#include <span>
#include <string>

#include "regard/base/real.h"

namespace regard {

/// The longest line that is translated; a longer one counts as empty, with a warning.
inline constexpr Index kLongestLine = Index{1} << 26;

/// Hands over the lines of a file of any bytes ("-": standard input, gzip too) in blocks of at most
/// `most`, in order. A block goes as soon as it is full, holds a mebibyte or the next line is not
/// there yet, so that who types a line, or waits for its answer, is answered. Returns early once
/// StopSignal has caught one, also while it waits. Throws as Lines does, when all lines before the
/// fault are handed over.
void each_block(const std::string& path, std::size_t most,
                const std::function<void(std::span<const std::string> block)>& take);

}  // namespace regard
