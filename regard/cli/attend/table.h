#pragma once

#include <string>
#include <vector>

#include "regard/tensor/tensor.h"
#include "regard/viewer/terminal.h"

namespace regard {

/// Numbers under labels, for people.
struct Table {
  Tensor values;                        ///< [rows, columns] of f64; NaN is shown as '-'
  std::vector<std::string> row_labels;  ///< one a row
  std::vector<std::string> col_labels;  ///< one a column, or none
};

/// Aligned lines: up to six decimals, as few as the numbers shown need. Rows and columns that do
/// not fit are left out in the middle and marked so.
std::string text(const Table& table, const Terminal& terminal);

}  // namespace regard
