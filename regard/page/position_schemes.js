// What is known of each way to tell places apart: how fast its hands turn, which numbers are sines
// and cosines, and how much score a head takes off by distance.

import {Matrix} from './matrix.js';

/**
 * The angle each pair of dimensions turns by from one place to the next; null: no pairs.
 * Sinusoidal: 10000^(-2j/D), Vaswani et al. 2017, arXiv:1706.03762. Halves: 10000^(-j/(D/2-1)), as
 * Marian has it, arXiv:1804.00344. Rotary: as sinusoidal, of a head's width, Su et al. 2021,
 * arXiv:2104.09864.
 */
export function turns(scheme, width) {
  const pairs = Math.floor(width / 2);
  const exponent = {
    sinusoidal: (j) => 2 * j / width,
    'sinusoidal-halves': (j) => j / Math.max(1, pairs - 1),
    rotary: (j) => 2 * j / width,
  }[scheme];
  return exponent ? Array.from({length: pairs}, (_, j) => 10000 ** -exponent(j)) : null;
}

/** Where the sine and the cosine of a pair stand among the columns of the table. */
export const columnsOf = (scheme, width, pair) =>
    scheme === 'sinusoidal-halves' ? [pair, width / 2 + pair] : [2 * pair, 2 * pair + 1];

/** The pair that a column belongs to. */
export const pairOf = (scheme, width, column) =>
    scheme === 'sinusoidal-halves' ? column % (width / 2) : Math.floor(column / 2);

/** Sines and cosines of the angles that rotary positions turn queries and keys by. */
export function rotaryTable(length, width, first) {
  const table = new Matrix(length, width);
  const speeds = turns('rotary', width);
  for (let row = 0; row < length; ++row)
    speeds.forEach((speed, j) => {
      table.values[row * width + 2 * j] = Math.sin((row + first) * speed);
      table.values[row * width + 2 * j + 1] = Math.cos((row + first) * speed);
    });
  return table;
}

const geometric = (heads) => Array.from({length: heads}, (_, h) => 2 ** (-8 * (h + 1) / heads));

/**
 * How much score each head takes off for each place of distance: a geometric row from 2^(-8/H) to
 * 2^-8, and for other numbers of heads than powers of two that of the power below, then every other
 * one of the next (Press et al. 2022, ALiBi, arXiv:2108.12409).
 */
export function alibiSlopes(heads) {
  const power = 2 ** Math.floor(Math.log2(Math.max(1, heads)));
  const finer = geometric(2 * power).filter((_, i) => i % 2 === 0);
  return [...geometric(power), ...finer].slice(0, heads);
}
