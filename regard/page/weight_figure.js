// One matrix of weights as a picture, with borders of its heads, as a table and as files.

import {picture} from './colour.js';
import {make} from './dom.js';
import {Figure} from './figure.js';
import {Matrix, upTo} from './matrix.js';
import {brief, count} from './wording.js';

/** Where a part of equal parts begins, as the server cuts them. */
const edge = (part, parts, whole) => Math.floor(part * whole / parts);

/** The columns of the picture that show columns from .. to of the matrix: from left to right. */
function partOf({matrix, shape}, from, to) {
  const [left, right] = [from, to].map((at) => Math.round(at / shape.at(-1) * matrix.columns));
  const part = new Matrix(matrix.rows, right - left);
  for (let row = 0; row < matrix.rows; ++row)
    part.values.set(
        matrix.values.subarray(row * matrix.columns + left, row * matrix.columns + right),
        row * part.columns);
  return {part, left, right};
}

const lines = (number, look, side) => Array.from(
    {length: number - 1},
    (_, i) => make('span', {class: look, style: {[side]: `${(i + 1) / number * 100}%`}}));

/**
 * Numbers of rows or columns that the cells stand for, from 1 at `from`: "5", or "5–8" for the mean
 * of some.
 */
const ranges = (cells, length, {left = 0, right = cells, from = 0, to = length} = {}) =>
    upTo(right - left).map((i) => {
      const [first, last] = [left + i, left + i + 1].map(
          (at) => Math.min(to, Math.max(from, edge(at, cells, length))) - from);
      return last - first > 1 ? `${first + 1}–${last}` : String(first + 1);
    });

/**
 * piece: {name, weight, from, to, across, down}, a matrix of a block; found: {matrix, shape}, means
 * of equal parts of its parameter.
 */
export function weightFigure({name, weight, from, to, across, down}, found) {
  const {part, left, right} = partOf(found, from, to);
  const sizes = part.values.map(Math.abs).sort();
  const [high, most] = [sizes[Math.floor(0.995 * (sizes.length - 1))], sizes.at(-1)];
  const size = [...weight.shape.slice(0, -1), to - from]
                   .filter((length, i, all) => length > 1 || all.length <= 2)
                   .map(count)
                   .join(' × ');
  const [height, width] = [found.shape[0], found.shape.at(-1)];
  const meant = `means of ${count(Math.ceil(height / part.rows))} × ${
      count(Math.ceil(width / found.matrix.columns))} weights; the largest mean is ${brief(most)}`;
  const rows = ranges(part.rows, height);
  const columns = ranges(found.matrix.columns, width, {left, right, from, to});
  const canvas = make('canvas', {
    width: part.columns,
    height: part.rows,
    role: 'img',
    title: meant,
    style: {'aspect-ratio': String(Math.min(1.6, Math.max(0.7, (to - from) / height)))},
    'aria-label': `Weights, ${name}: ${size}, colours from ${brief(-high)} to ${
        brief(high)}, largest ${brief(most)}`
  });
  const image = () => picture(part, high || 1, -high || -1, 'signed');
  canvas.getContext('2d', {willReadFrequently: true}).putImageData(image(), 0, 0);
  canvas.cells = {get image() { return image(); }};  // for files: in the colours of that moment
  const figure = new Figure({
    title: name,
    name: `weights-${weight.name}-${name}`.replace(/[^a-z0-9]+/gi, '-'),
    level: 5,
    data: () => ({
      caption: `${weight.name}, ${name}: ${meant}`,
      columns: ['row', ...columns],
      rows: rows.map((label, row) => [label, ...part.row(row)]),
    }),
    json: () => ({
      parameter: weight.name,
      shape: weight.shape,
      from,
      to,
      rows,
      columns,
      means: upTo(part.rows).map((row) => [...part.row(row)]),
    }),
  });
  figure.element.classList.add('weight');
  figure.side.textContent = `${size}, ±${brief(high)}`;
  figure.note.remove();
  figure.summary.remove();
  figure.body.append(make(
      'div', {class: 'weight-picture'}, canvas, ...lines(across, 'line-down', 'left'),
      ...lines(down, 'line-across', 'top')));
  figure.refresh();
  return figure.element;
}
