// A board to draw a model on. Places are [x, v], v along the way of the data; only when all is
// placed is it known how long that way is, and whether it goes up or down the page.

import {draw} from './dom.js';

const bend = 10;  // radius of a line's corners

/** A line through points, its corners rounded. */
function rounded(points) {
  const parts = [`M${points[0].join(' ')}`];
  for (let i = 1; i < points.length - 1; ++i) {
    const [before, [x, y], after] = points.slice(i - 1, i + 2);
    const towards = ([toX, toY]) => {
      const length = Math.hypot(toX - x, toY - y) || 1, step = Math.min(bend, length / 2);
      return `${x + (toX - x) / length * step} ${y + (toY - y) / length * step}`;
    };
    parts.push(`L${towards(before)}Q${x} ${y} ${towards(after)}`);
  }
  return parts.join('') + `L${points.at(-1).join(' ')}`;
}

/** The two strokes of an arrow's head. */
function head([fromX, fromY], [x, y]) {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [(x - fromX) / length * 5, (y - fromY) / length * 5];
  return `M${x - dx - dy} ${y - dy + dx}L${x} ${y}L${x - dx + dy} ${y - dy - dx}`;
}

export class Board {
  constructor() {
    this.layers = {back: [], lines: [], front: []};  // each is drawn over the one before
    this.end = 0;
  }

  put(layer, v, make) {
    this.layers[layer].push(make);
    this.end = Math.max(this.end, v);
  }

  /** look: residual, read, trunk, shared or state. */
  line(points, look, arrow = true) {
    this.put('lines', Math.max(...points.map(([, v]) => v)), (y) => {
      const placed = points.map(([x, v]) => [x, y(v)]);
      return draw('path', {
        class: `way ${look}`,
        d: rounded(placed) + (arrow ? head(placed.at(-2), placed.at(-1)) : '')
      });
    });
  }

  /** Words in the middle of [x, v]; anchor: start, middle or end. */
  text(x, v, text, look = '', anchor = 'middle', size = 12) {
    this.put(
        'front', v,
        (y) => draw(
            'text',
            {class: `diagram-text ${look}`, x, y: y(v) + size * 0.36, 'text-anchor': anchor},
            text));
  }

  /** Words beside a line that goes along. */
  sideways(x, v, text, look) {
    this.put(
        'front', v,
        (y) => draw(
            'text', {
              class: `diagram-text ${look}`,
              'text-anchor': 'middle',
              transform: `translate(${x} ${y(v)}) rotate(-90)`
            },
            text));
  }

  box(x, v, width, height, look, layer = 'back', radius = 12) {
    this.put(
        layer, v + height,
        (y) => draw(
            'rect', {class: look, x, y: Math.min(y(v), y(v + height)), width, height, rx: radius}));
  }

  plus(x, v) {
    this.put(
        'front', v,
        (y) => draw(
            'g', {class: 'plus'}, draw('circle', {cx: x, cy: y(v), r: 10}),
            draw('path', {d: `M${x - 4.5} ${y(v)}h9M${x} ${y(v) - 4.5}v9`})));
  }

  /** Something that can be chosen: paint(top) gives what is in it. */
  item(v, height, attributes, paint) {
    this.put(
        'front', v + height,
        (y) => draw('g', {...attributes, tabindex: '-1'}, ...paint(Math.min(y(v), y(v + height)))));
  }

  drawn(width, upward, label) {
    const height = this.end + 8;
    const y = upward ? (v) => height - v : (v) => v;
    return draw(
        'svg', {
          class: 'diagram',
          viewBox: `0 0 ${width} ${height}`,
          width,
          height,
          role: 'group',
          'aria-label': label
        },
        ...Object.values(this.layers).flat().map((make) => make(y)));
  }
}
