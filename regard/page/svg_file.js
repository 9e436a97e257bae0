// A scene as an SVG file. It is built as a document and written by the browser, so that a text with
// tags in it stays text.

import {draw} from './dom.js';
import {rgba, runsOf} from './scene.js';

const round = (number) => Number(number.toFixed(2));
const hex = (colour) =>
    '#' + colour.slice(0, 3).map((part) => part.toString(16).padStart(2, '0')).join('');
const clear = (colour) => colour[3] < 1 ? round(colour[3]) : null;
// What XML cannot hold.
const legal = (text) =>
    text.replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');

function path({segments, fill, stroke}) {
  return draw('path', {
    d: segments.map(([name, ...numbers]) => name + numbers.map(round).join(' ')).join(''),
    fill: fill ? hex(fill) : 'none',
    'fill-opacity': fill && clear(fill),
    ...(stroke && {
      stroke: hex(stroke.colour),
      'stroke-opacity': clear(stroke.colour),
      'stroke-width': round(stroke.width),
      'stroke-linecap': stroke.cap === 'butt' ? null : stroke.cap,
      'stroke-linejoin': stroke.join === 'miter' ? null : stroke.join,
      'stroke-dasharray': stroke.dash.length ? stroke.dash.map(round).join(' ') : null,
    }),
  });
}

/** In the width it has on the page, whatever font the reader has. */
function words({text, x, y, angle, width, size, family, weight, italic, colour, rtl, halo}) {
  return draw(
      'text', {
        x: round(x),
        y: round(y),
        transform: Math.abs(angle) > 0.001 ?
            `rotate(${round(angle * 180 / Math.PI)} ${round(x)} ${round(y)})` :
            null,
        'text-anchor': 'middle',
        textLength: text.length > 1 ? round(width) : null,
        lengthAdjust: text.length > 1 ? 'spacingAndGlyphs' : null,
        'font-family': family,
        'font-size': round(size),
        'font-weight': weight === '400' ? null : weight,
        'font-style': italic ? 'italic' : null,
        direction: rtl ? 'rtl' : null,
        fill: hex(colour),
        'fill-opacity': clear(colour),
        ...(halo && {
          stroke: hex(halo.colour),
          'stroke-width': halo.width,
          'stroke-linejoin': 'round',
          'paint-order': 'stroke'
        }),
      },
      legal(text));
}

function picture({canvas, x, y, width, height, opacity}) {
  const runs = runsOf(canvas);
  const [across, down] = [width / canvas.width, height / canvas.height];
  const faint = opacity < 1 ? round(opacity) : null;
  if (!runs)
    return draw('image', {
      x: round(x),
      y: round(y),
      width: round(width),
      height: round(height),
      opacity: faint,
      href: canvas.toDataURL('image/png'),
      preserveAspectRatio: 'none',
      'image-rendering': 'pixelated',
    });
  return draw(
      'g', {'shape-rendering': 'crispEdges', opacity: faint},
      ...runs.map(([column, row, length, colour]) => draw('rect', {
                    x: round(x + column * across),
                    y: round(y + row * down),
                    width: round(length * across),
                    height: round(down),
                    fill: hex(colour),
                    'fill-opacity': clear(colour),
                  })));
}

export function svgOf({marks, left, top, width, height, paper}, title) {
  const root = draw(
      'svg', {
        viewBox: [left, top, width, height].map(round).join(' '),
        width: round(width),
        height: round(height),
        role: 'img',
      },
      draw('title', {}, legal(title)), draw('rect', {
        x: round(left),
        y: round(top),
        width: round(width),
        height: round(height),
        fill: hex(rgba(paper))
      }),
      ...marks.map((mark) => ({path, text: words, picture})[mark.kind](mark)));
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(root) +
      '\n';
}
