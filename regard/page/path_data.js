// Shapes as lists of ['M', x, y], ['L', x, y], ['C', x1, y1, x2, y2, x, y] and ['Z']: all that any
// kind of file can draw.

const arm = 0.5522847498;  // of a cubic that is a quarter of a circle

/** A box, its corners rounded. */
export function boxSegments(x, y, width, height, radius = 0) {
  const r = Math.max(0, Math.min(radius, width / 2, height / 2)),
        [right, bottom] = [x + width, y + height];
  if (r === 0) return [['M', x, y], ['L', right, y], ['L', right, bottom], ['L', x, bottom], ['Z']];
  const k = r * (1 - arm);
  return [
    ['M', x + r, y],
    ['L', right - r, y],
    ['C', right - k, y, right, y + k, right, y + r],
    ['L', right, bottom - r],
    ['C', right, bottom - k, right - k, bottom, right - r, bottom],
    ['L', x + r, bottom],
    ['C', x + k, bottom, x, bottom - k, x, bottom - r],
    ['L', x, y + r],
    ['C', x, y + k, x + k, y, x + r, y],
    ['Z'],
  ];
}

const ellipse = (x, y, rx, ry) =>
    boxSegments(-1, -1, 2, 2, 1)
        .map(
            ([name, ...numbers]) =>
                [name,
                 ...numbers.map((number, i) => i % 2 === 0 ? x + rx * number : y + ry * number)]);

const line =
    (points,
     closed) => [...points.map(([x, y], i) => [i ? 'L' : 'M', x, y]), ...(closed ? [['Z']] : [])];

/** An arc of a path as cubics (SVG 1.1, F.6). */
function arc(x0, y0, rx, ry, degrees, large, sweep, x, y) {
  if (rx === 0 || ry === 0) return [['L', x, y]];
  if (x0 === x && y0 === y) return [];
  const turn = degrees * Math.PI / 180, [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [dx, dy] = [(x0 - x) / 2, (y0 - y) / 2];
  const [px, py] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const grow = Math.max(1, Math.sqrt((px / rx) ** 2 + (py / ry) ** 2));
  const [a, b] = [Math.abs(rx) * grow, Math.abs(ry) * grow];
  const across = (a * py) ** 2 + (b * px) ** 2;
  const factor = Math.sqrt(Math.max(0, (a * b) ** 2 / across - 1)) * (large === sweep ? -1 : 1);
  const [cx, cy] = [factor * a * py / b, -factor * b * px / a];
  const start = Math.atan2((py - cy) / b, (px - cx) / a);
  let span = Math.atan2((-py - cy) / b, (-px - cx) / a) - start;
  if (sweep && span < 0) span += 2 * Math.PI;
  if (!sweep && span > 0) span -= 2 * Math.PI;
  const pieces = Math.max(1, Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9));
  const reach = 4 / 3 * Math.tan(span / pieces / 4);
  const put = (u, v) =>
      [cos * a * u - sin * b * v + cos * cx - sin * cy + (x0 + x) / 2,
       sin * a * u + cos * b * v + sin * cx + cos * cy + (y0 + y) / 2,
  ];
  return Array.from({length: pieces}, (_, i) => {
    const [from, to] = [start + span * i / pieces, start + span * (i + 1) / pieces];
    const [c0, s0, c1, s1] = [Math.cos(from), Math.sin(from), Math.cos(to), Math.sin(to)];
    return [
      'C', ...put(c0 - reach * s0, s0 + reach * c0), ...put(c1 + reach * s1, s1 - reach * c1),
      ...put(c1, s1)
    ];
  });
}

const takes = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0
};

/** The `d` of a path. */
export function pathSegments(d) {
  const result = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let [lastX, lastY, last] = [0, 0, ''];  // the handle that S and T mirror
  const parts = d.match(/[a-zA-Z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) || [];
  const cubic = (x1, y1, x2, y2, toX, toY) => {
    result.push(['C', x1, y1, x2, y2, toX, toY]);
    [lastX, lastY, x, y] = [x2, y2, toX, toY];
  };
  const quadratic = (qx, qy, toX, toY) => {
    cubic(
        x + (qx - x) * 2 / 3, y + (qy - y) * 2 / 3, toX + (qx - toX) * 2 / 3,
        toY + (qy - toY) * 2 / 3, toX, toY);
    [lastX, lastY] = [qx, qy];
  };
  const to = (name, nextX, nextY) => {
    result.push([name, nextX, nextY]);
    [x, y] = [nextX, nextY];
  };
  let name = '';
  for (let at = 0; at < parts.length;) {
    if (/[a-z]/i.test(parts[at]) && parts[at].length === 1)
      name = parts[at++];
    else if (!name || name.toUpperCase() === 'Z')
      break;
    const kind = name.toUpperCase(), [ox, oy] = kind === name ? [0, 0] : [x, y];
    if (!(kind in takes)) break;
    const numbers = parts.slice(at, at += takes[kind]).map(Number);
    if (numbers.length < takes[kind] || numbers.some(Number.isNaN)) break;
    const [a, b, c, e, f, g, h] = numbers;
    const mirrored = (kinds) => kinds.includes(last) ? [2 * x - lastX, 2 * y - lastY] : [x, y];
    if (kind === 'M') {
      to('M', a + ox, b + oy);
      [startX, startY] = [x, y];
      name = kind === name ? 'L' : 'l';
    } else if (kind === 'L') {
      to('L', a + ox, b + oy);
    } else if (kind === 'H') {
      to('L', a + ox, y);
    } else if (kind === 'V') {
      to('L', x, a + oy);
    } else if (kind === 'C') {
      cubic(a + ox, b + oy, c + ox, e + oy, f + ox, g + oy);
    } else if (kind === 'S') {
      cubic(...mirrored('CS'), a + ox, b + oy, c + ox, e + oy);
    } else if (kind === 'Q') {
      quadratic(a + ox, b + oy, c + ox, e + oy);
    } else if (kind === 'T') {
      quadratic(...mirrored('QT'), a + ox, b + oy);
    } else if (kind === 'A') {
      result.push(...arc(x, y, a, b, c, Boolean(e), Boolean(f), g + ox, h + oy));
      [x, y] = [g + ox, h + oy];
    } else {
      result.push(['Z']);
      [x, y] = [startX, startY];
    }
    last = kind;
  }
  return result;
}

/** What an SVG element draws, in its own coordinates; null: nothing. */
export function shapeSegments(shape) {
  const number = (name) => shape[name]?.baseVal?.value ?? 0;
  switch (shape.tagName) {
    case 'path':
      return pathSegments(shape.getAttribute('d') || '');
    case 'line':
      return line([[number('x1'), number('y1')], [number('x2'), number('y2')]]);
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'));
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), number('rx'), number('ry'));
    case 'rect':
      return boxSegments(
          number('x'), number('y'), number('width'), number('height'),
          Math.max(number('rx'), number('ry')));
    case 'polyline':
    case 'polygon':
      return line([...shape.points].map(({x, y}) => [x, y]), shape.tagName === 'polygon');
    default:
      return null;
  }
}

/** The same in other coordinates; place: {a, b, c, d, e, f} as in a DOMMatrix. */
export const transformed = (segments, {a, b, c, d, e, f}) => segments.map(
    ([name, ...numbers]) =>
        [name,
         ...numbers.map(
             (number, i) => i % 2 === 0 ? a * number + c * numbers[i + 1] + e :
                                          b * numbers[i - 1] + d * number + f),
]);

/** Slanting lines within a box, as the page draws what is hidden. */
export function hatching(x, y, width, height, step = 8) {
  const result = [];
  for (let at = step; at < width + height; at += step) {
    const [from, to] = [Math.max(0, at - height), Math.min(width, at)];
    if (to > from) result.push(['M', x + from, y + at - from], ['L', x + to, y + at - to]);
  }
  return result;
}
