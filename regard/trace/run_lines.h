#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace regard {

// What a training wrote down beside its model: metrics.jsonl, an object a line.

inline constexpr std::size_t kLargestRun = std::size_t{1} << 26;      ///< bytes of the file
inline constexpr std::size_t kLongestRunLine = std::size_t{1} << 16;  ///< a longer one is empty

/// Calls take(line) for every whole line of a folder's run until it says false; a training may be
/// writing the last. Returns whether there is a run at all. Throws Error(input) naming the file
/// where it is no regular file of the folder itself, or larger than kLargestRun.
bool each_run_line(const std::string& folder,
                   const std::function<bool(std::string_view line)>& take);

/// The line as JSON; empty if it is no object. It stays text: as a value, a line of many small
/// parts would take twenty times the memory.
std::string run_line_json(std::string_view line);

}  // namespace regard
