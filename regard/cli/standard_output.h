#pragma once

#include <string>
#include <string_view>

namespace regard {

/// Makes 0, 1 and 2 stand for something, so that no file the program opens is taken for one of
/// them, and lets a closed pipe end the program quietly. First thing in main.
void prepare_standard_streams();

/// Writes all of it to standard output now. Throws Error(io) if that fails.
void write_output(std::string_view text);

/// Closes standard output, since some disks report a failed write only then. Throws Error(io).
void close_output();

/// From now on what goes to standard error is added to this file too. Throws Error(io).
void copy_errors_to(const std::string& path);

/// Throws Error(usage) if that file is this one, by whatever links; nothing more is then added
/// to it. `what` says what this one is.
void check_not_log(const std::string& path, std::string_view what);

/// One line to standard error; nothing can be done if that fails.
void write_error_line(std::string_view line) noexcept;

}  // namespace regard
