// How a model tells places apart, as it can be drawn: a table of numbers for each place, the hands
// it is read from, or what each head takes off by distance.

import {Matrix, upTo} from './matrix.js';
import {settingsOf} from './own_settings.js';
import {alibiSlopes, columnsOf, pairOf, rotaryTable, turns} from './position_schemes.js';
import {several} from './wording.js';

/** Whose heads are drawn, where the decoder has another number. */
function whoseHeads(spec) {
  const [encoder, decoder] = ['encoder', 'decoder'].map((kind) => settingsOf(spec, kind).heads);
  return encoder === decoder ?
      '' :
      `Shown for the encoder, with ${several(encoder, 'head')}; the decoder has ${decoder}.`;
}

/**
 * Of the server's answer: {scheme, first: the first place, note, table, speeds, slopes, whose: which
 * heads are drawn, if that must be said}.
 */
export function positionPlan(answer, spec, length) {
  const {scheme = spec.position || 'none', first = 0, note = ''} = answer;
  const plan = {scheme, first, note, table: null, speeds: null, slopes: null, whose: ''};
  const {heads} = settingsOf(spec, 'encoder');
  const ofHeads = {...plan, whose: whoseHeads(spec)};
  if (scheme === 'alibi') return {...ofHeads, slopes: alibiSlopes(heads)};
  if (scheme === 'rotary' && spec.d_model) {
    const width = Math.floor(spec.d_model / heads);
    return {...ofHeads, table: rotaryTable(length, width, first), speeds: turns(scheme, width)};
  }
  if (!(answer.rows > 0)) return plan;
  return {...plan, table: Matrix.decoded(answer), speeds: turns(scheme, answer.cols)};
}

/** The pair that a column of the table belongs to. */
export const pairAt = ({scheme, table}, column) => pairOf(scheme, table.columns, column);

/** Columns of the sine and the cosine of a pair. */
export const sidesOf = ({scheme, table}, pair) => columnsOf(scheme, table.columns, pair);

/** The column of the table that a column of a panel shows. */
export const columnAt = (plan, panel, column) =>
    plan.speeds ? sidesOf(plan, column)[panel] : column;

/** The table in panels: sines and cosines apart, where it has them. */
export function panelsOf(plan) {
  const {table, speeds} = plan;
  if (!speeds) return [{matrix: table, name: 'dimension'}];
  return ['sine of pair', 'cosine of pair'].map((name, side) => {
    const matrix = new Matrix(table.rows, speeds.length);
    for (let row = 0; row < table.rows; ++row)
      speeds.forEach((_, j) => {
        matrix.values[row * speeds.length + j] = table.at(row, sidesOf(plan, j)[side]);
      });
    return {matrix, name};
  });
}

/** The column, and with hands those of two others, from place to place: [{name, points}]. */
export function unrolled(plan, column) {
  const {table, speeds, first} = plan;
  const wave = (at, name) =>
      ({name, points: upTo(table.rows).map((i) => [i + first, table.at(i, at)])});
  if (!speeds) return [wave(column, `dimension ${column + 1}`)];
  const chosen = pairAt(plan, column);
  const apart = (j) => Math.abs(j - chosen);
  const others = [1 / 25, 1 / 6, 1 / 3]
                     .map((share) => Math.floor(speeds.length * share))
                     .sort((a, b) => apart(b) - apart(a))
                     .slice(0, 2);
  return [...new Set([chosen, ...others])]
      .sort((a, b) => a - b)
      .map((j) => wave(sidesOf(plan, j)[0], `pair ${j + 1}, sine`));
}

/** The cosine of the angle between the pattern of a place and each other: [[place, cosine]]. */
export function similarityTo({table, first}, row) {
  const product = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);
  const own = table.row(row);
  const size = Math.sqrt(product(own, own)) || 1;
  return upTo(table.rows).map((i) => {
    const other = table.row(i);
    return [i + first, product(own, other) / (size * (Math.sqrt(product(other, other)) || 1))];
  });
}
