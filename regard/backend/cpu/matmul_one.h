#pragma once

#include "regard/backend/matmul.h"

namespace regard {

/// One product: what it says of a batch is ignored.
void multiply(Cpu& cpu, const Product<f32>& product);
void multiply(Cpu& cpu, const Product<f64>& product);

}  // namespace regard
