// What the first steps of the story show beside the rows: numbers, positions, queries and keys.
// Each gives the scale of its colours, or null.

import {handEnd, somePairs} from './clocks.js';
import {draw} from './dom.js';
import {turns} from './position_schemes.js';
import {repeated} from './story_data.js';
import {cellsIn, fitting, scaleKey, strength, strip, text, widthOf} from './story_marks.js';
import {lack, missing, signedBars, strips} from './story_rows.js';

export function tokens(stage, facts) {
  const {left, room, phone} = stage;
  stage.bands((repeated(facts)[0] || []));
  stage.labels({filled: false});
  const ids = stage.column('ids');
  const {number: size} = stage.size;
  const wide =
      Math.max(phone ? 30 : 46, ...facts.tokens.map(({id}) => widthOf(String(id), size) + 4));
  const edge = left + wide;
  stage.title(ids, edge, 'number', {anchor: 'end'});
  stage.rows.forEach(({tokens: [first], gap}, i) => {
    if (!gap)
      text(
          ids, edge, stage.middle(i) + size * 0.36, String(facts.tokens[first].id),
          {kind: 'number faint', anchor: 'end', size});
  });
  if (!facts.embedding) return null;
  const x = edge + (phone ? 10 : 16);
  const width = left + room - x;
  const all = facts.embedding.columns;
  const count = cellsIn(width, all, phone);
  const most = strength(facts.embedding.values);
  const group = stage.column('embedding');
  const few = count < all;
  stage.title(
      group, x,
      fitting(
          [few ? `${count} of its ${all} numbers` : `its ${all} numbers`, 'its numbers'], width,
          stage.size.title));
  strips(stage, group, facts.embedding, {x, width, count, most});
  return scaleKey(most);
}

function sum({embedding, position}) {
  return embedding.values.map((value, i) => value + position.values[i]);
}

export function positions(stage, facts) {
  const {embedding, position, spec} = facts;
  if (spec.position === 'alibi') return distances(stage, facts);
  if (spec.position === 'rotary') return clocks(stage, facts);
  stage.bands((repeated(facts)[0] || []));
  stage.labels({filled: false});
  if (!embedding || !position) {
    if (spec.position !== 'none')
      lack(stage, missing(facts, 'the numbers of tokens and positions'));
    return null;
  }
  const both = {
    ...position,
    values: sum(facts),
    row: (i) => both.values.subarray(i * both.columns, (i + 1) * both.columns)
  };
  const most = Math.max(...[embedding, position, both].map(({values}) => strength(values)));
  const between = stage.phone ? 18 : 34;
  const width = (stage.room - 2 * between) / 3;
  const count = cellsIn(width, embedding.columns, stage.phone);
  [[embedding, 'token', 'embedding'], [position, 'position', 'position'], [both, 'both', 'both']]
      .forEach(([matrix, name, column], k) => {
        const group = stage.column(column);
        const x = stage.left + k * (width + between);
        stage.title(group, x, name);
        strips(stage, group, matrix, {x, width, count, most});
        if (k > 0)
          stage.rows.forEach(
              ({gap}, i) => gap ||
                  text(group, x - between / 2, stage.middle(i) + 5, k === 1 ? '+' : '=',
                       {kind: 'quiet', anchor: 'middle', size: 15}));
      });
  return scaleKey(most);
}

/** Rotary: hands that turn with the place, the first pairs of a head's numbers. */
function clocks(stage, facts) {
  stage.labels({filled: false});
  const group = stage.column('clocks');
  const width = facts.vectors ? facts.vectors.width : facts.spec.d_model / facts.spec.heads;
  const radius = stage.size.row * 0.36;
  const speeds = turns('rotary', width);
  const pairs = somePairs(speeds.length, Math.min(12, Math.floor(stage.room / (radius * 2 + 8))));
  const step = Math.min(stage.room / pairs.length, radius * 2 + 26);
  stage.title(
      group, stage.left + 4,
      fitting(
          [`how far each of ${pairs.length} pairs of numbers is turned`, 'turned by'], stage.room,
          stage.size.title));
  stage.rows.forEach(({tokens: [token], gap}, i) => {
    if (gap) return;
    pairs.forEach((pair, k) => {
      const [dx, dy] = handEnd((token + facts.first) * speeds[pair], radius);
      const [x, y] = [stage.left + 4 + radius + k * step, stage.middle(i)];
      group.append(
          draw('circle', {class: 'story-clock', cx: x, cy: y, r: radius}),
          draw('line', {class: 'story-hand', x1: x, y1: y, x2: x + dx, y2: y + dy}));
    });
  });
  return null;
}

/** ALiBi: what distance takes off the scores of the chosen token. */
function distances(stage, facts) {
  stage.labels();
  const group = stage.column('distance');
  stage.title(
      group, stage.left,
      fitting(['taken off the score, by distance', 'off the score'], stage.room, stage.size.title));
  const off = stage.rows.map(
      ({tokens: [first], gap}, i) =>
          gap || stage.hides(i) ? null : -facts.cost * Math.abs(first - facts.chosen));
  const digits = Math.min(4, Math.max(2, 1 + Math.ceil(-Math.log10(facts.cost))));
  signedBars(stage, group, off, {x: stage.left, width: stage.room, digits});
  return null;
}

export function query(stage, facts) {
  const {vectors, scores, chosen} = facts;
  const without = (i) => stage.hides(i);
  stage.labels({dim: without});
  if (!vectors) {
    lack(
        stage,
        facts.spec.attention === 'scaled-dot' || facts.spec.attention === 'dot' ?
            missing(facts, 'queries and keys') :
            'This attention has no scores of that kind.');
    return null;
  }
  const {left, room, phone, size} = stage;
  const width = phone ? room - 96 : room * 0.6;
  const count = cellsIn(width, vectors.width, phone);
  const most = Math.max(strength(vectors.query.row(chosen)), strength(vectors.key.values));
  const asked = stage.column('query');
  const height = phone ? 16 : 26;
  strip(asked, {
    x: left,
    y: 2,
    width,
    height,
    values: Array.from(vectors.query.row(chosen).subarray(0, count)),
    most
  });
  text(
      asked, stage.names, 2 + height / 2 + size.label * 0.35, 'query',
      {kind: 'accent strong', anchor: 'end', size: size.label});
  const keys = stage.column('key');
  stage.title(keys, left, fitting(['× the key of each token', '× keys'], width, size.title));
  strips(stage, keys, vectors.key, {x: left, width, count, most, without});
  const group = stage.column('score');
  const x = left + width + (phone ? 12 : 28);
  const zero = signedBars(
      stage, group,
      stage.rows.map(({tokens: [first], gap}, i) => gap || without(i) ? null : scores[first]),
      {x, width: left + room - x, digits: phone ? 1 : 2});
  const fits = zero + widthOf('score', size.title) <= left + room;
  stage.title(group, fits ? zero : left + room, 'score', {anchor: fits ? 'start' : 'end'});
  return scaleKey(most);
}
