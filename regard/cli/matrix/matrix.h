#pragma once

#include <string>

#include "regard/cli/matrix/json.h"

namespace regard {

/// What an option such as --query was given, as f64 tensors [T, d] or [B, T, d], all finite:
///   a file       rows of numbers (.csv, .tsv, .txt), .json or .npy; "-" is standard input
///   inline       '1,3,2;1,1,3' or '[[1,3,2],[1,1,3]]', if no file is called that
/// Only JSON can hold more than one matrix; then they are named. Throws Error: exit code 2 for
/// inline matrices, 3 for files.
Matrices read_matrices(const std::string& option, const std::string& given);

/// The same if there must be one matrix.
Tensor read_matrix(const std::string& option, const std::string& given);

/// Is it, by the rules above, the name of a file?
bool names_file(const std::string& given);

/// Whom to blame for it: the file, or else the option.
InputSource source_of(const std::string& option, const std::string& given);

}  // namespace regard
