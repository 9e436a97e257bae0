// A vector as a row of bars, up for positive and down for negative numbers.

import {draw} from './dom.js';

/** values: numbers; most: the size that fills half the height. */
export function bars(values, {most, height = 56, label}) {
  const width = values.length * 10;
  const zero = height / 2;
  const room = zero - 1;
  const bar = (value, i) => {
    const size = most > 0 ? Math.min(1, Math.abs(value) / most) * room : 0;
    return `M${i * 10 + 1} ${zero}v${(value < 0 ? size : -size).toFixed(2)}h8v${
        (value < 0 ? -size : size).toFixed(2)}z`;
  };
  const path = (wanted) =>
      Array.from(values, (value, i) => wanted(value) ? bar(value, i) : '').join('');
  return draw(
      'svg', {
        class: 'bars',
        role: 'img',
        'aria-label': label,
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: 'none',
        height
      },
      draw('path', {class: 'bar-above', d: path((value) => value >= 0)}),
      draw('path', {class: 'bar-below', d: path((value) => value < 0)}),
      draw('line', {class: 'axis', x1: 0, x2: width, y1: zero, y2: zero}));
}
