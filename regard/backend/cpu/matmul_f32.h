#pragma once

#include "regard/backend/matmul.h"

namespace regard {

// How the f32 product is cut (Goto & van de Geijn 2008, "Anatomy of high-performance matrix
// multiplication"): a tile of C lives in registers while a strip of A and a panel of B run past it.

/// The tile of one instruction set: rows of A and columns of B it takes at once.
struct TileShape {
  Index rows, cols;
};

// Of k at once: a panel of B then fills most of a level-1 cache.
constexpr Index kDepth = 256;
// From one packed row of A to the next: no power of two, so that rows do not share a cache set.
constexpr Index kRowPitch = kDepth + 16;

/// How rows of op(A) lie.
enum class Lines {
  packed,  ///< row m at m * kRowPitch
  rows,    ///< row m as it is stored
  strips,  ///< of a transposed A, packed: at m * kRowPitch a strip as high as a tile, k by k
  columns  ///< of a transposed A: column m as it is stored
};

/// Rows of op(A) as the tiles read them, in pieces of `step` <= kDepth of k.
struct LeftRows {
  const f32* data;
  Index step, piece;  ///< piece: elements from one to the next
  Lines lines;
  Index stride = 0;  ///< of rows and columns in place: elements from one to the next
};

/// Columns of op(B) as the tiles read them, in panels of `cols`: element (k, panel, i) is
/// data[k * k_step + panel * panel_step + i]. A tile takes a panel, or a part of one. Where `copy`
/// is given, each panel is left there packed by the first tile for those below it.
struct Panels {
  const f32* data;
  Index cols, k_step, panel_step;
  f32* copy = nullptr;

  const f32* at(Index n, Index k) const {
    return data + n / cols * panel_step + n % cols + k * k_step;
  }
};

/// C = rows panels, over some of k. `fresh` starts the chains at 0, else they go on from C.
/// Bias and activation come last, so only with the last k.
struct Block {
  LeftRows a;
  Panels b;
  Matrix<f32> c;
  Index k = 0;
  bool fresh = true;
  const f32* bias = nullptr;
  Activation activation = Activation::none;
};

}  // namespace regard
