#pragma once

#include "regard/backend/matmul.h"

namespace regard {

/// A product whose op(B) is `int8`.
void multiply_int8(Cpu& cpu, const Product<f32>& product);

}  // namespace regard
