#pragma once

#include <string>
#include <string_view>

#include "regard/tensor/tensor.h"

namespace regard {

/// Do these bytes start as NumPy's .npy files do?
bool is_npy(std::string_view bytes);

/// A .npy file (format 1, 2 or 3) as a tensor: element types f4 (as f32), f8, i4, i8 and b1 (as
/// f64), little-endian, in C or Fortran order, at most eight axes. `name` stands for the file in
/// messages. Throws Error(input) for anything else, before making room for what the header
/// declares.
Tensor parse_npy(std::string_view bytes, const std::string& name);

}  // namespace regard
