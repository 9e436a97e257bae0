// Four small drawings of the sentence at hand, one for each door.

import {picture, weightColour} from './colour.js';
import {draw, make, pageFont} from './dom.js';
import {fitted} from './shortening.js';
import {percent} from './wording.js';

const [width, height] = [240, 76];
const mostDots = 8;

const frame = (...children) => draw(
    'svg', {class: 'door-drawing', viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true'},
    ...children);

/** One row of a head, at most `most` neighbouring keys of it: those with the largest together. */
function aRow(app, kind, most) {
  const entry = app.trace.first(kind);
  if (!entry) return null;
  const {matrix, rows, columns} = app.trace.shown(entry, {end: true, merge: true});
  if (matrix.rows === 0 || matrix.columns === 0) return null;
  const query = Math.min(matrix.rows - 1, Math.floor(matrix.rows / 2));
  const begin = Math.max(
      0, Math.min(matrix.columns - most, matrix.peak(query) - Math.floor(most / 2)));
  const keys = columns.slice(begin, begin + most).map((word, i) => ({
    word,
    weight: matrix.at(query, begin + i),
  }));
  return {word: rows[query], keys, own: query - begin};
}

/** Arcs from one word to those it looks at. */
export function arcs(app) {
  const row = aRow(app, 'encoder', mostDots) || aRow(app, 'cross', mostDots);
  if (!row) return frame();
  const base = height - 10;
  const step = (width - 24) / Math.max(1, row.keys.length - 1);
  const x = (i) => row.keys.length === 1 ? width / 2 : 12 + i * step;
  const from = x(Math.max(0, Math.min(row.keys.length - 1, row.own)));
  const arc = ({weight}, i) => {
    const up = base - Math.min(base - 6, 22 + Math.abs(x(i) - from) * 0.62);
    const aside = Math.abs(x(i) - from) < 1 ? step / 3 : 0;
    return draw('path', {
      d: `M${from - aside} ${base}C${from - aside} ${up} ${x(i) + aside} ${up} ${x(i) + aside} ${base}`,
      fill: 'none',
      stroke: weightColour(0.3 + 0.6 * weight),
      'stroke-width': (1 + 6 * weight).toFixed(2),
    });
  };
  return frame(
      ...row.keys.map(arc),
      ...row.keys.map((_, i) => draw('circle', {class: 'door-dot', cx: x(i), cy: base, r: 4})));
}

/** Three heads of the last layer, small. */
export function maps(app) {
  const kind = app.trace.of('cross').length ? 'cross' : app.trace.kinds()[0]?.[0];
  const last = Math.max(...app.trace.of(kind).map((entry) => entry.layer));
  const entries = app.trace.of(kind).filter((entry) => entry.layer === last).slice(0, 3);
  const map = (entry) => {
    const matrix = app.trace.shown(entry, {end: true, merge: true}).matrix.pooled(40);
    const canvas = make('canvas', {class: 'door-map', width: matrix.columns, height: matrix.rows});
    canvas.getContext('2d').putImageData(picture(matrix, Math.max(0.2, matrix.largest())), 0, 0);
    return canvas;
  };
  return make('div', {class: 'door-drawing door-maps', 'aria-hidden': 'true'}, ...entries.map(map));
}

/** The strongest keys of one query, as bars. */
export function bars(app) {
  const row = aRow(app, app.trace.of('cross').length ? 'cross' : 'encoder', 999);
  if (!row) return frame();
  const keys = [...row.keys].sort((a, b) => b.weight - a.weight).slice(0, 4);
  const font = pageFont(12);
  return frame(...keys.flatMap(({word, weight}, i) => {
    const y = 4 + i * 18;
    return [
      draw('text', {class: 'door-word', x: 82, y: y + 11, 'text-anchor': 'end'}, fitted(word, 78, font)),
      draw('rect', {
        x: 90,
        y: y + 2,
        width: (2 + 108 * weight).toFixed(1),
        height: 11,
        rx: 2,
        fill: weightColour(0.3 + 0.6 * weight),
      }),
      draw('text', {class: 'door-number', x: 97 + 108 * weight, y: y + 11}, percent(weight)),
    ];
  }));
}

/** The best hypotheses: the winner straight, others leave it after the last word they share. */
export function tracks(app) {
  const nodes = new Map(app.trace.data.beam.map((node) => [node.id, node]));
  const path = (node) => {
    const all = [];
    for (let at = node; at && all.length <= nodes.size; at = nodes.get(at.parent)) all.unshift(at.id);
    return all;
  };
  const finals = app.trace.data.beam.filter((node) => node.state === 'final')
                     .sort((a, b) => b.score - a.score)
                     .slice(0, 3)
                     .map(path);
  const [winner = app.trace.data.target.tokens.map((_, i) => i), ...others] = finals;
  const longest = Math.max(2, ...finals.map((each) => each.length), winner.length);
  const x = (step) => 8 + step * (width - 16) / (longest - 1);
  const leaves = (other) => Math.max(0, other.findIndex((id, i) => id !== winner[i]) - 1);
  const line = (d, strength) => draw('path', {
    d,
    fill: 'none',
    stroke: weightColour(strength),
    'stroke-width': (1 + 4 * strength).toFixed(1),
  });
  const branch = (other, i) => {
    const [begin, y] = [x(leaves(other)), 40 + 20 * i];
    const bend = Math.min(24, x(other.length - 1) - begin);
    return line(
        `M${begin} 18C${begin + bend / 2} 18 ${begin + bend / 2} ${y} ${begin + bend} ${y}H${
            Math.max(begin + bend, x(other.length - 1))}`,
        0.62 - 0.17 * i);
  };
  const every = Math.ceil(winner.length / 8);
  const stations = winner.map((_, i) => i).filter((i) => i % every === 0 || i === winner.length - 1);
  return frame(
      ...others.map(branch).reverse(), line(`M${x(0)} 18H${x(winner.length - 1)}`, 0.8),
      ...stations.map((i) => draw('circle', {class: 'door-station', cx: x(i), cy: 18, r: 4.5})));
}
