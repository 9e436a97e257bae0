// Strips and bars beside the rows of the story's figure.

import {draw} from './dom.js';
import {number, seen, strip, text, widthOf, wrapped} from './story_marks.js';

export const little = 0.02;  // weights below it have no number

/** Strips of a matrix beside the rows; a gap has none, nor has row i where without(i). */
export function strips(
    stage, group, matrix,
    {x, width, count, most, opacity = () => undefined, without = () => false}) {
  const {strip: height} = stage.size;
  stage.rows.forEach(({tokens, gap}, i) => {
    if (gap || without(i)) return;
    const values = Array.from(matrix.row(tokens[0]).subarray(0, count));
    strip(
        group,
        {x, y: stage.middle(i) - height / 2, width, height, values, most, opacity: opacity(i)});
  });
}

/** Bars of weights with their numbers; `shares` are numbers of rows. Hidden rows have none. */
export function bars(
    stage, group, shares, {x, width, digits = 2, most = Math.max(...shares), labelled = true}) {
  const {strip: height, number: size} = stage.size;
  const room = width - (labelled ? widthOf('0.000'.slice(0, digits + 2), size, 600) + 9 : 0);
  const peak = Math.max(...shares.filter((_, i) => !stage.rows[i].gap));
  shares.forEach((share, i) => {
    if (stage.hides(i)) return;
    const bar = draw(
        'rect', {
          class: 'story-bar',
          x,
          y: stage.middle(i) - height * 0.38,
          width: Math.max(1.5, share / most * room).toFixed(1),
          height: height * 0.76,
          rx: 3,
          fill: seen(share)
        },
        draw('title', {}, `${stage.rows[i].label}: ${share.toFixed(4)}`));
    group.append(bar);
    if (labelled && share >= little)
      text(
          group, x + share / most * room + 7, stage.middle(i) + size * 0.36, share.toFixed(digits),
          {kind: `number weight${share === peak ? ' strong' : ' quiet'}`, size});
  });
}

/** Bars left and right of zero, the number of each beside it; null: none. */
export function signedBars(stage, group, values, {x, width, digits}) {
  const {strip: height, number: size, top} = stage.size;
  const given = values.filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...given), Math.max(0, ...given)];
  const widest = Math.max(...given.map((value) => widthOf(number(value, digits), size))) + 10;
  const unit = (width - widest) / (high - low || 1);
  const zero = x - low * unit;
  group.append(draw('line', {class: 'story-axis', x1: zero, x2: zero, y1: top, y2: stage.end}));
  values.forEach((value, i) => {
    if (value === null) return;
    group.append(draw('rect', {
      class: value < 0 ? 'story-below' : 'story-above',
      x: Math.min(zero, zero + value * unit).toFixed(1),
      y: stage.middle(i) - height * 0.33,
      width: Math.max(1, Math.abs(value) * unit).toFixed(1),
      height: height * 0.66,
      rx: 2
    }));
    text(
        group, value < 0 ? zero + 6 : zero + value * unit + 6, stage.middle(i) + size * 0.36,
        number(value, digits), {kind: 'number score quiet', size});
  });
  return zero;
}

/** In place of columns that are not there. */
export function lack(stage, words) {
  const group = stage.column('lack');
  const {title} = stage.size;
  const lines = wrapped(words, stage.room - 20, title + 1);
  lines.forEach(
      (line, i) => text(
          group, stage.left + 8, stage.size.top + 20 + i * 22, line,
          {kind: 'quiet', size: title + 1}));
}

/** Why something is not shown. */
export const missing = (facts, what) => facts.pending ?
    'Fetching…' :
    `${facts.app.source.live ? 'The server sent' : 'This file was saved'} without ${what}.`;
