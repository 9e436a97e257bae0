// The marks of the story's figure: strips of signed numbers, bars, curves from row to row.

import {signedColour, weightColour} from './colour.js';
import {draw, pageFont, textWidth} from './dom.js';
import {fitted as fittedIn} from './shortening.js';
import {minus} from './wording.js';

const shades = 12;  // on either side of zero

export const widthOf = (text, size, thick = 400) => textWidth(text, pageFont(size, thick));

/** The text, or as much of it as fits. */
export const fitted = (text, room, size, thick = 400) =>
    fittedIn(text, room, pageFont(size, thick));

/** Words in lines no wider than the room. */
export function wrapped(words, room, size) {
  const lines = [''];
  for (const word of words.split(' ').filter(Boolean)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) === '' || widthOf(longer, size) <= room)
      lines[lines.length - 1] = longer;
    else
      lines.push(word);
  }
  return lines.map((line) => fitted(line, room, size));
}

/** The first of several wordings that fits. */
export const fitting = (texts, room, size) =>
    texts.find((text) => widthOf(text, size) <= room) || fitted(texts.at(-1), room, size);

/** Digits after the point, with a proper minus; what rounds to zero has none. */
export const number = (value, digits) =>
    minus(value.toFixed(digits).replace(/^-(?=[0.]*$)/, ''));

/** A size that most of the numbers stay below: what the strongest colour stands for. */
export function strength(values) {
  let squares = 0;
  for (let i = 0; i < values.length; ++i) squares += values[i] * values[i];
  return 2.2 * Math.sqrt(squares / Math.max(1, values.length)) || 1;
}

/** How many numbers of a row fit into a width, each wide enough to be seen. */
export const cellsIn = (width, all, phone) => {
  const fit = Math.floor(width / (phone ? 4.5 : 6));
  return fit >= all ? all : Math.max(1, fit - fit % 8 || fit);
};

/** A vector as signed cells: one path for each shade. */
export function strip(group, {x, y, width, height, values, most, opacity}) {
  const cell = width / values.length;
  const paths = new Map();
  values.forEach((value, i) => {
    const shade = Math.round(Math.max(-1, Math.min(1, value / most)) * shades);
    const part = `M${(x + i * cell).toFixed(2)} ${y.toFixed(1)}h${cell.toFixed(2)}v${height}h${
        (-cell).toFixed(2)}z`;
    paths.set(shade, (paths.get(shade) || '') + part);
  });
  for (const [shade, d] of paths)
    group.append(
        draw('path', {class: 'story-cell', d, fill: signedColour(shade / shades), opacity}));
}

export function text(group, x, y, words, {kind = '', anchor = 'start', size, label} = {}) {
  const element = draw(
      'text', {
        class: `story-text ${kind}`,
        x: x.toFixed(1),
        y: y.toFixed(1),
        'text-anchor': anchor,
        'font-size': size
      },
      words);
  if (label) element.append(draw('title', {}, label));
  group.append(element);
  return element;
}

/** Where the colours of bars and lines begin, so that small ones are seen too. */
export const seen = (share) => weightColour(0.24 + 0.62 * Math.min(1, share));

/** A line that leaves and arrives level. */
export function flow(group, [x1, y1], [x2, y2], {width, colour, opacity}) {
  const middle = (x1 + x2) / 2;
  group.append(draw('path', {
    class: 'story-line',
    d: `M${x1.toFixed(1)} ${y1}C${middle.toFixed(1)} ${y1} ${middle.toFixed(1)} ${y2} ${
        x2.toFixed(1)} ${y2}`,
    stroke: colour,
    'stroke-width': width.toFixed(2),
    opacity: opacity.toFixed(2),
  }));
}

/** A line out of a row and back into another. */
export function arc(group, x, from, to, {reach, width, colour, opacity}) {
  group.append(draw('path', {
    class: 'story-line',
    d: `M${x} ${from}C${x + reach} ${from} ${x + reach} ${to} ${x} ${to}`,
    stroke: colour,
    'stroke-width': width.toFixed(2),
    opacity: opacity.toFixed(2),
  }));
}

/** What the colours stand for, small: from -most to most. */
export function scaleKey(most) {
  const parts = 25;
  const bar = draw('svg', {class: 'story-scale', width: 100, height: 10, 'aria-hidden': 'true'});
  for (let i = 0; i < parts; ++i)
    bar.append(draw(
        'rect',
        {x: i * 4, y: 0, width: 4.3, height: 10, fill: signedColour(2 * i / (parts - 1) - 1)}));
  return [number(-most, 1), bar, number(most, 1)];
}
