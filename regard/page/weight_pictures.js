// The weights of a block as pictures, asked for when it is opened.

import {picture} from './colour.js';
import {make} from './dom.js';
import {Matrix} from './matrix.js';
import {weightFigure} from './weight_figure.js';

const cells = 128;          // rows and columns of a picture, at most
const kept = new Map();     // pictures that came ...
const coming = new Map();   // ... and {controller, picture: promise} of those asked for
const missing = new Set();  // what the server does not have

/** From the answer: means of equal parts of the matrix. */
function decoded({rows, cols, scale, data, shape}) {
  const bytes = atob(data);
  const values = Float32Array.from(bytes, (letter) => (letter.charCodeAt(0) << 24 >> 24) * scale);
  return {shape, matrix: new Matrix(rows, cols, values)};
}

const keyOf = (app, parameter) => `${app.model.name} ${app.model.hash} ${parameter}`;

async function fetched(app, parameter, parts, signal) {
  try {
    const size = Math.min(512, cells * parts);
    return decoded(await app.source.weights(app.model.name, parameter, size, signal));
  } catch (error) {
    if (signal.aborted) return null;
    if (error.wantsKey) app.refused(error);
    if (error.status !== 404) return {failed: error.message};
    missing.add(keyOf(app, parameter));
    return null;
  }
}

/** The picture's data, {failed: why}, or null where there is none; asked for once at a time. */
async function asked(app, parameter, parts) {
  const key = keyOf(app, parameter);
  if (missing.has(key)) return null;
  if (!coming.has(key)) {
    const controller = new AbortController();
    coming.set(key, {controller, picture: fetched(app, parameter, parts, controller.signal)});
  }
  const own = coming.get(key);
  const found = await own.picture;
  if (coming.get(key) === own) coming.delete(key);
  if (found && !found.failed) kept.set(key, found);
  return found;
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

/** Why pictures did not come, and a way to ask again. */
const notCome = (why, again) => make(
    'p', {class: 'hint weights-failed', role: 'status'}, `Some pictures did not come: ${why} `,
    make('button', {type: 'button', class: 'plain', on: {click: again}}, 'Try again'));

/** Gives up what is on its way, all but the pictures of these keys. */
export function giveUpWeights(but = new Set()) {
  for (const [key, {controller}] of coming) {
    if (but.has(key)) continue;
    controller.abort();
    coming.delete(key);
  }
}

/**
 * Fills `holder` with the pictures of matrices, at once if they are known; nothing where there are
 * none. A saved page has none, and says so.
 */
export function showWeights(app, list, holder) {
  if (!app.source.weights) {
    holder.hidden = list.length === 0;
    holder.replaceChildren(make(
        'p', {class: 'weights-head hint'},
        'This file was saved without pictures of its weights. regard serve shows them.'));
    return;
  }
  const parts = (weight) => list.filter((each) => each.weight === weight).length;
  const known = ({weight}) => kept.get(keyOf(app, weight.name)) || null;
  const turn = holder.turn = {};
  const show = (found) => {
    const failed = found.find((each) => each?.failed)?.failed;
    holder.hidden = !found.some(Boolean);
    if (holder.hidden) return;
    holder.replaceChildren(
        make('div', {class: 'weights-head'}, make('h4', {}, 'Its weights'), signedKey()),
        ...list.flatMap((each, i) => found[i]?.matrix ? [weightFigure(each, found[i])] : []),
        ...(failed ? [notCome(failed, () => showWeights(app, list, holder))] : []));
  };
  giveUpWeights(new Set(list.map(({weight}) => keyOf(app, weight.name))));
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
