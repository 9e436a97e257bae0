// What the middle of the story shows beside the rows: weights, values and heads.

import {draw} from './dom.js';
import {order} from './story_data.js';
import {arc, cellsIn, fitted, fitting, scaleKey, seen, strength, strip, text} from './story_marks.js';
import {quoted} from './story_phrases.js';
import {bars, little, strips} from './story_rows.js';

/** Lines from the chosen row to those it attends to. */
function arcs(stage, shares, reach) {
  const group = stage.column('arcs');
  const own = stage.rowOf(stage.facts.chosen);
  for (const i of order(shares).reverse()) {
    const share = shares[i];
    if (share < little || i === own) continue;
    const bow = Math.min(reach, reach * 0.22 + Math.abs(i - own) * reach / 8) * 1.2;
    arc(group, stage.left + 2, stage.middle(own), stage.middle(i),
        {reach: bow, width: 1 + 11 * share, colour: seen(share), opacity: 0.6 + 0.4 * share});
  }
}

export function weights(stage, facts) {
  const shares = stage.summed(facts.recurrent ? facts.crossRow : facts.weights);
  stage.labels({filled: !facts.recurrent, dim: (i) => shares[i] < little});
  const reach = facts.recurrent ? 0 : stage.phone ? 62 : 170;
  if (!facts.recurrent) arcs(stage, shares, reach);
  const x = stage.left + (reach > 0 ? reach + 24 : 0);
  const group = stage.column('weight');
  stage.title(group, x, 'weight');
  bars(stage, group, shares, {x, width: stage.left + stage.room - x});
  return null;
}

export function values(stage, facts) {
  const {left, room, phone, size, end} = stage;
  const shares = stage.summed(facts.weights);
  stage.labels({dim: (i) => shares[i] < little});
  const bar = phone ? 74 : 150;
  const group = stage.column('weight');
  stage.title(group, left, 'weight');
  bars(stage, group, shares, {x: left, width: bar});
  if (!facts.value) return null;
  const x = left + bar + (phone ? 10 : 26);
  const width = left + room - x;
  const count = cellsIn(width, facts.value.columns, phone);
  const most = strength(facts.value.values);
  const column = stage.column('value');
  stage.title(
      column, x,
      fitting(['value, as strong as its weight', 'value × weight', 'value'], width, size.title));
  const shareOf = (i) => facts.weights[stage.rows[i].tokens[0]];
  strips(stage, column, facts.value, {
    x,
    width,
    count,
    most,
    opacity: (i) => (0.08 + 0.92 * Math.sqrt(shareOf(i))).toFixed(3),
    without: (i) => stage.hides(i)
  });
  const output = stage.column('output');
  const [y, height] = [end + (phone ? 18 : 26), phone ? 18 : 28];
  stage.reach(y + height + 6);
  output.append(draw(
      'path',
      {class: 'story-arrow', d: `M${x + width / 2} ${end + 3}v${phone ? 10 : 16}m-5 -5l5 5l5 -5`}));
  strip(output, {x, y, width, height, values: facts.output.slice(0, count), most});
  text(
      output, x - 12, y + height / 2 + size.label * 0.35,
      fitting([`sum, for “${facts.name}”`, 'sum'], x - 16, size.label),
      {kind: 'strong', anchor: 'end', size: size.label});
  return scaleKey(most);
}

/** As many heads as fit, the one of the steps before among them: their places. */
function headsShown(facts, fits) {
  const all = facts.heads.map((_, i) => i);
  if (all.length <= fits) return all;
  const own = facts.heads.indexOf(facts.entry);
  return [...all.filter((i) => i !== own).slice(0, fits - 1), own].sort((a, b) => a - b);
}

export function heads(stage, facts) {
  const {left, room, phone, size, rows, end} = stage;
  const between = phone ? 12 : 26;
  const [from, space] = [left + 8, room - 16];  // frames reach beyond what is in them
  const shown = headsShown(facts, Math.max(1, Math.floor((space + between) / (phone ? 54 : 84))));
  const width = Math.min(phone ? 120 : 260, (space - (shown.length - 1) * between) / shown.length);
  const shares = shown.map((i) => stage.summed(facts.headRows[i]));
  stage.labels({dim: (i) => Math.max(...shares.map((list) => list[i])) < 0.1});
  shown.forEach((head, k) => {
    const group = stage.column(`head ${head}`);
    const x = from + k * (width + between);
    group.append(draw('rect', {
      class: 'story-frame',
      x: x - 7,
      y: size.top - 4,
      width: width + 14,
      height: end - size.top + 8,
      rx: 10
    }));
    const name = fitting([`Head ${head + 1}`, `${head + 1}`], width, size.title);
    const best = rows[order(shares[k])[0]];
    const most =
        !phone && !best.gap ? fitted(`${quoted(best.label)} most`, width + 8, size.title) : '';
    if (most) stage.title(group, x, most);
    const title = stage.title(group, x, name, {line: most ? 1 : 0});
    if (facts.heads[head] === facts.entry) title.classList.add('accent');
    bars(
        stage, group, shares[k],
        {x, width, most: Math.max(...shares.flat()), labelled: width >= 76});
  });
  if (shown.length < facts.heads.length) {
    stage.reach(end + 32);
    text(
        stage.column('more'), left + room, end + 24,
        `${facts.heads.length - shown.length} more heads in Heads`,
        {kind: 'quiet', anchor: 'end', size: size.title});
  }
  return null;
}
