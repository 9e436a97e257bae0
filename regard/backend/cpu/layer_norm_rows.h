#pragma once

#include "regard/backend/layer_norm.h"

namespace regard::kernel {

// The f32 rows of layer norm on vectors, [begin, end) at a time.

void norm_rows_f32(const NormedRows<f32>& rows, Index begin, Index end);
void add_norm_rows_f32(const Residual<f32>& residual, const NormedRows<f32>& rows, Index begin,
                       Index end);
/// REQUIRES that the range is one block of the gradients' rows.
void norm_gradient_rows_f32(const NormGradients<f32>& rows, Index begin, Index end);

}  // namespace regard::kernel
