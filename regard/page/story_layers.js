// What the end of the story shows beside the rows: layers, the states of a recurrent encoder, and
// the word that is chosen.

import {draw} from './dom.js';
import {fitted, fitting, flow, seen, text, widthOf, wrapped} from './story_marks.js';
import {little} from './story_rows.js';
import {finePercent} from './wording.js';

export function layers(stage, facts) {
  const {left, room, phone, size} = stage;
  stage.labels();
  const {shares, flows} = facts.back;
  const name = fitted(facts.name, phone ? 56 : 110, size.label, 650);
  const tail = widthOf(name, size.label, 650) + (phone ? 16 : 26);
  const fits = Math.max(1, Math.min(flows.length, Math.floor((room - tail) / (phone ? 30 : 46))));
  const skipped = flows.length - fits;  // the first layers, where there is no room
  const gap = (room - 16 - tail) / fits;
  const at = (layer) => left + 14 + (layer - skipped) * gap;
  const amounts = shares.map((list) => stage.summed(list));
  for (let layer = skipped; layer <= flows.length; ++layer) {
    const group = stage.column(`layer ${layer}`);
    const names = layer === 0 ? ['tokens'] : [`layer ${layer}`, `${layer}`];
    stage.title(group, at(layer), fitting(names, gap - 6, size.title), {anchor: 'middle'});
    if (layer > skipped) lines(stage, group, flows[layer - 1], [at(layer - 1), at(layer)]);
  }
  const dots = stage.column('dots');
  for (let layer = skipped; layer <= flows.length; ++layer)
    amounts[layer].forEach((share, i) => {
      const some = share > 0.004;
      dots.append(draw(
          'circle', {
            class: some ? '' : 'story-idle',
            cx: at(layer).toFixed(1),
            cy: stage.middle(i),
            r: ((phone ? 2 : 3) + (phone ? 4 : 8) * Math.sqrt(share)).toFixed(1),
            ...(some ? {fill: seen(Math.sqrt(share))} : {})
          },
          draw('title', {}, `${stage.rows[i].label}: ${finePercent(share)}`)));
    });
  text(
      dots, at(flows.length) + (phone ? 11 : 18),
      stage.middle(stage.rowOf(facts.chosen)) + size.label * 0.35, name,
      {kind: 'accent strong', size: size.label});
  return null;
}

function lines(stage, group, matrix, [from, to]) {
  const slots = stage.rows.map(({tokens: list}) => list);
  const merged = matrix.merged(slots, slots);
  const found = [];
  slots.forEach((list, row) => slots.forEach((_, column) => {
    const share =
        merged.at(row, column) * list.length;  // `merged` takes means of rows, this is a sum
    if (share > 0.008) found.push([share, row, column]);
  }));
  found.sort((a, b) => a[0] - b[0]);
  for (const [share, row, column] of found)
    flow(group, [from, stage.middle(column)], [to, stage.middle(row)], {
      width: 0.8 + 13 * share,
      colour: seen(Math.sqrt(share)),
      opacity: 0.4 + 0.6 * Math.sqrt(share)
    });
}

/** A recurrent encoder: a state handed from row to row. */
export function reading(stage, facts) {
  stage.labels({filled: false});
  const group = stage.column('states');
  const x = stage.left + (stage.phone ? 16 : 40);
  stage.title(group, x, 'state', {anchor: 'middle'});
  const radius = stage.phone ? 6 : 9;
  stage.rows.forEach(({gap}, i) => {
    const y = stage.middle(i);
    if (i > 0)
      group.append(draw('path', {
        class: 'story-arrow',
        d: `M${x} ${stage.middle(i - 1) + radius + 1}V${y - radius - 3}m-4 -4l4 4l4 -4`
      }));
    group.append(
        draw('circle', {class: gap ? 'story-idle' : 'story-state', cx: x, cy: y, r: radius}));
    const room = stage.width - x - 24;
    const words = i === 0 ?
        ['the state after the first token', 'after one token'] :
        i === stage.rows.length - 1 ?
        ['the state after all: the decoder begins with it', 'after all tokens'] :
        null;
    if (words)
      text(
          group, x + 20, y + stage.size.label * 0.35, fitting(words, room, stage.size.title),
          {kind: 'quiet', size: stage.size.title});
  });
  return null;
}

/** The last words that were generated, in at most three lines. */
function linesBefore(before, room, size) {
  const lines = wrapped(before, room, size);
  return lines.length > 3 ? ['…', ...lines.slice(-2)] : lines;
}

/** Probabilities of the likeliest tokens, and of the one that was taken. */
function candidates({target}) {
  const found = target.top.slice(0, 5);
  const taken = {id: target.id, label: target.label, p: target.probability};
  return found.some(({id}) => id === target.id) ? found : [...found.slice(0, 4), taken];
}

/** Where the parts of the last step stand: the words before, the pill of the word, candidates. */
function chosenPlan(stage, facts) {
  const {left, room, phone, size, rows} = stage;
  const x = left + (phone ? 56 : Math.min(300, room * 0.38));
  const space = left + room - x;
  const quiet = phone ? 14 : 17;
  const before = linesBefore(facts.target.before, space - 8, quiet);
  const list = candidates(facts);
  const step = phone ? 23 : 34;
  const pill = phone ? 30 : 40;
  const above = before.length * (quiet + 6);
  const tall = above + pill + 22 + list.length * step;
  stage.reach(6 + tall + 4);
  const top =
      Math.max(6, Math.min(stage.height - tall - 4, size.top + (rows.length * size.row - tall) / 2));
  return {x, space, quiet, before, list, step, pill, top, y: top + above + pill / 2};
}

/** What the rows give to the word. */
function drawFlows(stage, shares, {x, y}) {
  const group = stage.column('cross');
  [...shares.keys()].sort((a, b) => shares[a] - shares[b]).forEach((i) => {
    if (shares[i] < 0.015) return;
    flow(
        group, [stage.left, stage.middle(i)], [x - 5, y],
        {width: 1 + 15 * shares[i], colour: seen(shares[i]), opacity: 0.5 + 0.5 * shares[i]});
  });
}

/** The word that was chosen, below those before it. */
function drawChosen(stage, {label}, {x, y, space, quiet, before, pill, top}) {
  const group = stage.column('target');
  const size = stage.phone ? 16 : 22;
  before.forEach(
      (line, i) => text(
          group, x, top + (i + 1) * (quiet + 6) - 8, line, {kind: 'quiet before', size: quiet}));
  const shown = fitted(label, space - 24, size, 650);
  group.append(draw('rect', {
    class: 'story-chosen',
    x: x - 2,
    y: y - pill / 2,
    width: widthOf(shown, size, 650) + 24,
    height: pill,
    rx: 9
  }));
  text(group, x + 10, y + size * 0.35, shown, {kind: 'on taken', size});
}

/** The likeliest tokens, as bars of their probabilities. */
function drawCandidates(stage, {id}, {x, y, space, list, step, pill}) {
  const {size} = stage;
  const group = stage.column('probability');
  const widest = Math.max(...list.map((each) => widthOf(each.label, size.label, 650)));
  const names = Math.min(space * 0.42, widest + 4);
  const tail = widthOf('100.0 %', size.number, 600) + 12;
  const most = Math.max(...list.map(({p}) => p));
  list.forEach((each, i) => {
    const middle = y + pill / 2 + 22 + (i + 0.5) * step;
    const own = each.id === id;
    const width = Math.max(2, each.p / most * (space - names - 10 - tail));
    text(
        group, x + names, middle + size.label * 0.35, fitted(each.label, names, size.label, 650),
        {kind: own ? 'strong' : '', anchor: 'end', size: size.label});
    group.append(draw('rect', {
      class: 'story-bar',
      x: x + names + 10,
      y: middle - size.strip * 0.42,
      width: width.toFixed(1),
      height: size.strip * 0.84,
      rx: 4,
      fill: seen(each.p)
    }));
    text(
        group, x + names + 10 + width + 8, middle + size.number * 0.36, finePercent(each.p),
        {kind: `number probability ${own ? 'strong' : 'quiet'}`, size: size.number});
  });
}

export function chosen(stage, facts) {
  const shares = stage.summed(facts.crossRow);
  stage.labels({filled: false, dim: (i) => shares[i] < little});
  const plan = chosenPlan(stage, facts);
  drawFlows(stage, shares, plan);
  drawChosen(stage, facts.target, plan);
  drawCandidates(stage, facts.target, plan);
  return null;
}
