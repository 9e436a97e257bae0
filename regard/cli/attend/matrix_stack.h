#pragma once

#include <string>
#include <vector>

#include "regard/tensor/tensor.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// Matrices of B batch rows and H heads, all of one shape.
struct MatrixStack {
  Tensor values;                        ///< [B, H, rows, columns]; NaN: hidden
  std::vector<std::string> row_labels;  ///< one a row
  std::vector<std::string> col_labels;  ///< one a column

  Index batch() const { return values.size(0); }
  Index heads() const { return values.size(1); }
};

/// "batch 2, head 1" of the matrix of that number, or less if there is one of a kind.
std::string panel_name(const MatrixStack& stack, Index number);

/// Each matrix as a panel, those of a batch row beside each other.
HeatMap heat_map(const MatrixStack& stack, const std::string& title);

/// One [rows, columns] matrix out of [..., rows, columns], by its number.
Tensor matrix_at(const Tensor& x, Index number);

}  // namespace regard
