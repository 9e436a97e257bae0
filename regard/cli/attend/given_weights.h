#pragma once

#include "regard/cli/attend/matrix_stack.h"
#include "regard/cli/attend/request.h"

namespace regard {

/// The weights of --weights, [T, S] or a matrix for each head, [H, T, S], under their labels. Warns
/// if they are none: below 0, or in a row that does not sum to 1 within 0.02 (or is all 0). Throws
/// Error naming option or file; also if an option is given that computes weights.
MatrixStack read_weights(const AttendOptions& options);

}  // namespace regard
