// The weights of a block as pictures, asked for when it is opened.

import {picture} from './colour.js';
import {make} from './dom.js';
import {Matrix} from './matrix.js';
import {brief, count} from './wording.js';

const cells = 128;         // rows and columns of a picture, at most
const kept = new Map();    // pictures that came ...
const coming = new Map();  // ... and promises of those asked for
const missing = new Set();  // what the server does not have

/** From the answer: means of equal parts of the matrix. */
function decoded({rows, cols, scale, data, shape}) {
  const bytes = atob(data);
  const values = Float32Array.from(bytes, (letter) => (letter.charCodeAt(0) << 24 >> 24) * scale);
  return {shape, matrix: new Matrix(rows, cols, values)};
}

const keyOf = (app, parameter) => `${app.model.name} ${app.model.hash} ${parameter}`;

async function fetched(app, parameter, parts) {
  try {
    const answer =
        await app.source.weights(app.model.name, parameter, Math.min(512, cells * parts));
    return decoded(answer);
  } catch (error) {
    if (error.status === 404) missing.add(keyOf(app, parameter));
    if (error.wantsKey) app.refused(error);
    return null;
  }
}

/** The picture's data, or null where there is none; asked for once. */
async function asked(app, parameter, parts) {
  const key = keyOf(app, parameter);
  if (missing.has(key) || !app.source.weights) return null;
  if (!coming.has(key)) coming.set(key, fetched(app, parameter, parts));
  const found = await coming.get(key);
  coming.delete(key);
  if (found) kept.set(key, found);
  return found;
}

function drawn({name, weight, from, to, across, down}, {matrix, shape}) {
  const columns = shape.at(-1);
  const [left, right] = [from, to].map((at) => Math.round(at / columns * matrix.columns));
  const part = new Matrix(matrix.rows, right - left);
  for (let row = 0; row < matrix.rows; ++row)
    part.values.set(
        matrix.values.subarray(row * matrix.columns + left, row * matrix.columns + right),
        row * part.columns);
  const sizes = part.values.map(Math.abs).sort();
  const [high, most] = [sizes[Math.floor(0.995 * (sizes.length - 1))], sizes.at(-1)];
  const size = [...weight.shape.slice(0, -1), to - from]
                   .filter((length, i, all) => length > 1 || all.length <= 2)
                   .map(count)
                   .join(' × ');
  const shown = Math.min(1.6, Math.max(0.7, (to - from) / shape[0]));
  const canvas = make('canvas', {
    width: part.columns,
    height: part.rows,
    role: 'img',
    style: {'aspect-ratio': String(shown)},
    'aria-label': `Weights, ${name}: ${size}, colours from ${brief(-high)} to ${
        brief(high)}, largest ${brief(most)}`
  });
  canvas.getContext('2d').putImageData(picture(part, high || 1, -high || -1, 'signed'), 0, 0);
  const lines = (number, look, side) => Array.from(
      {length: number - 1},
      (_, i) => make('span', {class: look, style: {[side]: `${(i + 1) / number * 100}%`}}));
  return make(
      'figure', {
        class: 'weight',
        title: `means of ${count(Math.ceil(shape[0] / part.rows))} × ${
            count(Math.ceil(columns / matrix.columns))} weights; the largest mean is ${brief(most)}`
      },
      make(
          'div', {class: 'weight-picture'}, canvas, ...lines(across, 'line-down', 'left'),
          ...lines(down, 'line-across', 'top')),
      make('figcaption', {}, make('b', {}, name), ` ${size}`, make('span', {}, `±${brief(high)}`)));
}

/** Blue is below zero, amber above. */
function signedKey() {
  const ramp = new Matrix(1, 64, Float32Array.from({length: 64}, (_, i) => i / 31.5 - 1));
  const bar = make('canvas', {width: 64, height: 1});
  bar.getContext('2d').putImageData(picture(ramp, 1, -1, 'signed'), 0, 0);
  return make(
      'span', {class: 'signed-key', role: 'img', 'aria-label': 'Blue is below zero, amber above'},
      '−', bar, '+');
}

/**
 * Fills `holder` with the pictures of matrices, at once if they are known; nothing where there are
 * none.
 */
export function showWeights(app, list, holder) {
  const parts = (weight) => list.filter((each) => each.weight === weight).length;
  const known = ({weight}) => kept.get(keyOf(app, weight.name)) || null;
  const turn = holder.turn = {};
  const show = (found) => {
    const some = list.filter((_, i) => found[i]);
    holder.hidden = some.length === 0;
    if (holder.hidden) return;
    holder.replaceChildren(
        make('div', {class: 'weights-head'}, make('h4', {}, 'Its weights'), signedKey()),
        ...list.flatMap((each, i) => found[i] ? [drawn(each, found[i])] : []));
  };
  show(list.map(known));
  if (list.every(known)) return;
  // One request for each parameter, though it may be shown in pieces.
  const requests = new Map();
  for (const {weight} of list)
    if (!requests.has(weight.name))
      requests.set(weight.name, known({weight}) || asked(app, weight.name, parts(weight)));
  Promise.all(list.map(({weight}) => requests.get(weight.name)))
      .then((found) => holder.turn === turn && show(found));
}
