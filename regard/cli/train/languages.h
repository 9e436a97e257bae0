#pragma once

#include <string>

namespace regard {

/// The language that a file's name ends in, as in train.en or train.en.gz; empty if it ends in
/// none.
std::string language_of_file(const std::string& path);

}  // namespace regard
