#pragma once

#include <string>
#include <string_view>

#include "regard/base/open_file.h"

namespace regard {

/// The whole of a regular file, or of standard input for "-". Throws Error(input) naming the path
/// if there is no such file, it is not a regular file or pipe, or it is larger than `limit`.
std::string read_file(const std::string& path, std::size_t limit = std::size_t{1} << 30);

/// The whole of a regular file that lies in a folder from outside, a model's or a run's: never a
/// link, a pipe or a device. Throws Error(input) naming the path for those, if there is no such
/// file, or it is larger than `limit`.
std::string read_own_file(const std::string& path, std::size_t limit);

/// What to do where a new file's name is taken.
enum class IfThere {
  replace,
  refuse,  ///< also what somebody put there a moment ago stays
};

/// Writes a file so that its name only ever stands for the old content or the whole new one:
/// a temporary file beside it, flushed to disk, then renamed. Throws Error(io); leaves nothing
/// behind.
void write_file(const std::string& path, std::string_view content,
                IfThere there = IfThere::replace);

/// A new file that nobody else has, to be written to: `name`, or where that is taken `name` with a
/// hyphen and six letters, which it then becomes. Throws Error(io).
Descriptor create_file(std::string& name);

/// Gives a finished file its name. Throws Error(io) that names `to`; the file then keeps its old
/// name.
void name_file(const std::string& from, const std::string& to, IfThere there);

}  // namespace regard
