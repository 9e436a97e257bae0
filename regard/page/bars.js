// A vector as a row of bars, up for positive and down for negative numbers.

import {draw} from './dom.js';

/** values: numbers; most: the size that fills half the height; marked: index to stress, or -1. */
export function bars(values, {most, height = 56, label, marked = -1, signed = true}) {
  const width = values.length * 10;
  const zero = signed ? height / 2 : height - 1;
  const room = signed ? height / 2 - 1 : height - 3;
  const bar = (value, i) => {
    const size = most > 0 ? Math.min(1, Math.abs(value) / most) * room : 0;
    return `M${i * 10 + 1} ${zero}v${(value < 0 ? size : -size).toFixed(2)}h8v${
        (value < 0 ? -size : size).toFixed(2)}z`;
  };
  const path = (wanted) =>
      Array.from(values, (value, i) => wanted(value, i) ? bar(value, i) : '').join('');
  return draw(
      'svg', {
        class: 'bars',
        role: 'img',
        'aria-label': label,
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: 'none',
        height
      },
      draw('path', {class: 'bar-above', d: path((value, i) => value >= 0 && i !== marked)}),
      draw('path', {class: 'bar-below', d: path((value, i) => value < 0 && i !== marked)}),
      draw('path', {class: 'bar-marked', d: path((_, i) => i === marked)}),
      draw('line', {class: 'axis', x1: 0, x2: width, y1: zero, y2: zero}));
}
