#pragma once

#include <span>

namespace regard::kernel {

/// y = softmax(y) in place, -infinity giving exactly 0. REQUIRES peak = max y > -infinity.
void softmax_row_f32(std::span<float> y, float peak);

}  // namespace regard::kernel
