// A vector as a strip of signed cells: blue below zero, amber above, the paper's colour at zero.

import {picture} from './colour.js';
import {make} from './dom.js';
import {Matrix} from './matrix.js';

/**
 * A strip without numbers yet; name: what it shows, for those who listen; none: it is decoration.
 */
export function stripCanvas(name = '') {
  return make('canvas', {
    class: 'vector-strip',
    width: 1,
    height: 1,
    ...(name ? {role: 'img', 'aria-label': name} : {'aria-hidden': 'true'}),
  });
}

/** Paints numbers, one a cell; the strongest colours stand for `most` and beyond. */
export function paintStrip(canvas, values, most) {
  if (canvas.width !== values.length) canvas.width = Math.max(1, values.length);
  const line = new Matrix(1, values.length, Float32Array.from(values));
  const context = canvas.getContext('2d', {willReadFrequently: true});  // small: no work for a GPU
  context.putImageData(picture(line, most || 1, -(most || 1), 'signed'), 0, 0);
  return canvas;
}

/** The size that all but two in a hundred stay below: one number must not pale the others. */
export function usualSize(values) {
  const sizes = Float32Array.from(values, Math.abs).sort();
  const size = sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.98))];
  return size || sizes.at(-1) || 1;
}
