// What the colours of a picture stand for: a bar of the palette with its numbers.

import {picture} from './colour.js';
import {make} from './dom.js';
import {Matrix} from './matrix.js';
import {brief} from './wording.js';

const shades = 256;
const ramp = new Matrix(1, shades, Float32Array.from({length: shades}, (_, i) => i / (shades - 1)));

/** Numbers from low to high, evenly spaced, for colourScale. */
export const numbersBetween =
    (low, high) => [0, 0.25, 0.5, 0.75, 1].map((share) => brief(low + (high - low) * share));

/**
 * A bar with ticks, evenly spaced from the paper's end to the other; name: what is measured; note:
 * whose scale it is; hidden: whether some cells are hatched.
 */
export function colourScale({name, ticks, note = '', hidden = false}) {
  const bar = make('canvas', {class: 'scale-bar', width: shades, height: 1});
  bar.getContext('2d').putImageData(picture(ramp, 1), 0, 0);
  const place = (i) => ({left: `${i / (ticks.length - 1) * 100}%`});
  const explained = [
    `Colours: ${name} from ${ticks[0]}, like the paper, to ${ticks.at(-1)}, furthest from it`, note,
    hidden ? 'hatched is hidden' : ''
  ];
  return make(
      'div', {class: 'scale', role: 'img', 'aria-label': explained.filter(Boolean).join('; ')},
      make('span', {}, name),
      make(
          'span', {class: 'scale-range'}, bar,
          ...ticks.map((text, i) => make('span', {class: 'scale-tick', style: place(i)}, text))),
      note ? make('span', {}, note) : null,
      hidden &&
          make('span', {class: 'scale-hidden'}, make('span', {class: 'hatched swatch'}), 'hidden'));
}
