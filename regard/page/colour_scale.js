// What the colours of a picture stand for: a bar of the palette with its numbers.

import {picture} from './colour.js';
import {make} from './dom.js';
import {Matrix} from './matrix.js';

const shades = 256;
const ramp = new Matrix(1, shades, Float32Array.from({length: shades}, (_, i) => i / (shades - 1)));

/**
 * A bar with ticks, evenly spaced from one end to the other, below it, or on either side where
 * there are two; name: what is measured; note: whose scale it is; hidden: whether some cells are
 * hatched; palette: 'weight' or 'signed'.
 */
export function colourScale({name, ticks, note = '', hidden = false, palette = 'weight'}) {
  const bar = make('canvas', {class: 'scale-bar', width: shades, height: 1});
  const image = () => picture(ramp, 1, 0, palette);
  bar.getContext('2d').putImageData(image(), 0, 0);
  bar.cells = {get image() { return image(); }};  // for files: in the colours of that moment
  const place = (i) => ({left: `${i / (ticks.length - 1) * 100}%`});
  const ends = palette === 'signed' ? ['', ''] : [', like the paper,', ', furthest from it'];
  const explained = [
    `Colours: ${name} from ${ticks[0]}${ends[0]} to ${ticks.at(-1)}${ends[1]}`, note,
    hidden ? 'hatched is hidden' : ''
  ];
  const tick = (text, style) => make('span', {class: 'scale-tick', style}, text);
  const inline = ticks.length === 2;
  return make(
      'div', {
        class: `scale${inline ? ' scale-inline' : ''}`,
        role: 'img',
        'aria-label': explained.filter(Boolean).join('; ')
      },
      make('span', {}, name),
      ...(inline ? [tick(ticks[0], {}), bar, tick(ticks[1], {})] :
                   [make(
                       'span', {class: 'scale-range'}, bar,
                       ...ticks.map((text, i) => tick(text, place(i))))]),
      note ? make('span', {}, note) : null,
      hidden &&
          make('span', {class: 'scale-hidden'}, make('span', {class: 'hatched swatch'}), 'hidden'));
}
