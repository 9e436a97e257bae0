// How large the maps of all heads are, and how many stand in a line.

import {leaning, widest} from './axis_names.js';

const mostCells = 128;  // a side of a map; beyond, a cell stands for a block
const leastCell = 3;    // pixels
const goodCell = 9;
const goodMap = 216;  // wide, from which on cells need not be good ones
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** How many maps stand in a line: all heads of a layer where they or their cells are large enough. */
function inLine(room, gap, heads, columns, narrow) {
  const enough = Math.max(leastCell * columns, Math.min(goodCell * columns, goodMap), 100);
  for (let n = narrow ? Math.min(2, heads) : heads; n > 1; --n)
    if (heads % n === 0 && (room - (n - 1) * gap) / n >= enough) return n;
  return Math.min(2, heads);
}

/**
 * From the width there is, the number of heads in a layer, and the names of rows and columns:
 * {across, most, block, cellWidth, cellHeight, mapWidth, mapHeight, label, gap, slantHeight}; most:
 * cells on a side of a map; block: how many tokens a cell stands for on each side.
 */
export function gridSizes({width, heads, rows, columns, font}) {
  const narrow = width < 560;
  const slant = leaning(widest(columns, font));
  const label = Math.floor(
      Math.min(width / 3, Math.max(widest(rows, font) + (narrow ? 9 : 12), slant.side - 6)));
  const leastGap = narrow ? 10 : 20;
  const room = width - label - 2;
  const across = inLine(room, leastGap, heads, Math.min(mostCells, columns.length), narrow);
  const each = (room - (across - 1) * leastGap) / across;
  const most = clamp(Math.floor(each / leastCell), 16, mostCells);
  const block = Math.max(1, Math.ceil(Math.max(rows.length, columns.length) / most));
  const [down, along] =
      [rows, columns].map((names) => Math.max(1, Math.ceil(names.length / block)));
  const cellWidth =
      clamp(Math.floor(each / along), leastCell, Math.max(30, Math.floor(220 / along)));
  const long = rows.length > 40;
  const cellHeight = long ? clamp(cellWidth, narrow ? 5 : leastCell, 14) : clamp(cellWidth, 13, 20);
  const mapWidth = along * cellWidth;
  const left = across > 1 ? Math.floor((room - across * mapWidth) / (across - 1)) : 0;
  return {
    across,
    most,
    block,
    cellWidth,
    cellHeight,
    mapWidth,
    mapHeight: down * cellHeight,
    label,
    gap: clamp(left, leastGap, narrow ? 24 : 56),
    slantHeight: slant.height,
  };
}
