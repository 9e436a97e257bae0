#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "regard/base/real.h"

namespace regard {

// What a checkpoint needs of the file system: content that has reached the disk before its name is
// known. All throw Error(io) that names the path.

/// Makes the folder and those above it, where they are missing.   -> what it made, outermost first
std::vector<std::string> make_folder(const std::string& path);

/// The same, but the folder itself must be no link.
void make_own_folder(const std::string& path);

/// The names of what lies in the folder; none if there is no folder.
std::vector<std::string> names_in(const std::string& folder);
std::vector<std::string> names_in(const std::string& folder, std::error_code& error);

/// A new file, flushed to disk. Anything of that name that is in the way is replaced.
void write_flushed(const std::string& path, std::string_view content);

/// Flushes a folder: the names in it survive a loss of power.
void flush_folder(const std::string& path);

void rename_path(const std::string& from, const std::string& to);

/// Makes two names trade places in one step. False where the file system cannot.
bool exchange_paths(const std::string& one, const std::string& other);

/// Removes a file, or a folder and the files in it, but no folder inside it. False, with errno
/// set, where something is left.
bool remove_path(const std::string& path);

/// A folder itself, or a regular file itself, not a link to one.
bool is_own_folder(const std::string& path);
bool is_own_file(const std::string& path);

/// Bytes of the regular file; throws Error(input) if it is none.
Index file_size(const std::string& path);

/// Bytes that may still be written below the folder.
Index free_space(const std::string& folder);

}  // namespace regard
