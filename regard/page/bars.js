// Numbers as a row of bars from zero: amber upwards for those above, blue downwards for those
// below.

import {signedColour} from './colour.js';
import {draw} from './dom.js';

/**
 * values: numbers; most: the size that takes the full height on either side of zero. The picture
 * is as wide as its place: one unit a bar.
 */
export function bars(values, {most, height = 96, label}) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const room = height - 4;
  const unit = high > low ? room / (high - low) : 0;
  const zero = 2 + high * unit;
  const bar = (value, i) => {
    const size = Math.max(0.75, Math.abs(value) * unit);
    return draw('path', {
      class: value < 0 ? 'bar-below' : 'bar-above',
      fill: signedColour(most > 0 ? Math.sign(value) * (0.25 + 0.75 * Math.abs(value) / most) : 0),
      d: `M${i + 0.08} ${zero.toFixed(2)}v${(value < 0 ? size : -size).toFixed(2)}h0.84V${
          zero.toFixed(2)}z`,
    });
  };
  return draw(
      'svg', {
        class: 'bars',
        role: 'img',
        'aria-label': label,
        viewBox: `0 0 ${Math.max(1, values.length)} ${height}`,
        preserveAspectRatio: 'none',
        height,
      },
      ...Array.from(values, bar),
      draw('line', {class: 'axis', x1: 0, x2: values.length, y1: zero, y2: zero}));
}
