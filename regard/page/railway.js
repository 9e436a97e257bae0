// Hypotheses as a railway map: the best one straight and thick, the others leave it after the last
// word they share with it. All words of one place stand in one column.

import {lines} from './beam_tree.js';
import {draw, pageFont, textWidth} from './dom.js';
import {fitted} from './shortening.js';
import {finePercent, percent, quoted, unsure} from './wording.js';

const gap = 32;                // between the labels of two columns; branches go down in its middle
export const lineHeight = 92;  // of a row without dropped words
const stubHeight = 18;
const mostStubs = 3;  // drawn of a place: the nearest misses
const longest = 190;  // of a word, in pixels

/** Dropped branches by the line and the place where they left it. */
function stubsOf(rows, dropped) {
  const home = new Map();  // a node -> its line and place
  for (const line of rows)
    line.words.slice(line.branch).forEach((word, i) => {
      for (const token of word.tokens)
        if (!home.has(token)) home.set(token, {line, place: line.branch + i});
    });
  const groups = new Map();
  for (const each of dropped) {
    const {from, starts, end} = each.node;
    const found = from && home.get(from);
    const line = found ? found.line : rows[0];
    const place = !found ? 0 : found.place + (starts || end ? 1 : 0);
    const name = `${line.row}.${place}`;
    if (!groups.has(name)) groups.set(name, {line, place, branches: []});
    groups.get(name).branches.push(each);
  }
  return [...groups.values()];
}

function stubTexts({branches}) {
  const shown = branches.slice(0, mostStubs)
                    .map(
                        ({text, more, probability}) =>
                            `${text}${more ? ' …' : ''} ${finePercent(probability)}`);
  const rest = branches.length - shown.length;
  return rest > 0 ? [...shown, `+ ${rest} more`] : shown;
}

/**
 * Places everything. room: the width there is; dropped: branches to hint at; reserve: words that
 * will come, so that columns keep their width while the search is replayed.
 */
export function layout(hypotheses, {room = 0, dropped = [], reserve = []} = {}) {
  const bold = pageFont(14, 600), small = pageFont(12);
  const known = new Map();  // a replay asks for the same words again and again
  const wordWidth = (text) => {
    if (!known.has(text)) known.set(text, Math.min(longest, textWidth(text, bold)));
    return known.get(text);
  };
  const rows = lines(hypotheses);
  const stubs = rows.length > 0 ? stubsOf(rows, dropped) : [];
  const widths = [];
  const widen = (place, width) => {
    while (widths.length <= place) widths.push(40);
    widths[place] = Math.max(widths[place], width);
  };
  for (const line of rows) line.words.forEach((word, i) => widen(i, wordWidth(word.text)));
  reserve.forEach((texts, i) => texts.forEach((text) => widen(i, wordWidth(text))));
  for (const each of stubs) {
    each.texts = stubTexts(each).map((text) => fitted(text, longest, small));
    widen(each.place, Math.max(...each.texts.map((text) => textWidth(text, small))) + 8);
  }
  const begin = 26;
  const natural = widths.reduce((sum, width) => sum + width + gap, begin);
  const more = Math.min(36, Math.max(-10, (room - natural) / Math.max(1, widths.length)));
  const columns = [];
  let left = begin;
  for (const width of widths) {
    columns.push({left, middle: left + (width + gap + more) / 2, room: width + Math.max(0, more)});
    left += width + gap + more;
  }
  const depth = new Map();  // of what hangs below a row
  for (const {line, texts} of stubs)
    depth.set(line.row, Math.max(depth.get(line.row) || 0, texts.length));
  let y = 30;
  for (const line of rows) {
    line.y = y;
    y += lineHeight + (depth.get(line.row) || 0) * stubHeight;
  }
  return {rows, columns, stubs, width: Math.max(left, room), height: y - lineHeight + 64};
}

const round = 12;

/** From where a line leaves its parent, or the start, to its last word. */
function track(line, columns) {
  const last = columns[line.words.length - 1];
  if (!line.parent) return `M12 ${line.y}H${last ? last.middle : 24}`;
  const turn = columns[line.branch]?.left ?? 12;
  const down = `M${turn - round} ${line.parent.y}Q${turn} ${line.parent.y} ${turn} ${
      line.parent.y + round}V${line.y - round}Q${turn} ${line.y} ${turn + round} ${line.y}`;
  return last && last.middle > turn + round ? `${down}H${last.middle}` : down;
}

function stubShapes({line, place, texts}, columns) {
  const {left} = columns[place];
  const top = line.y + 62;
  const bend = (_, i) => {
    const y = top + i * stubHeight - 4;
    return `M${left} ${line.y}V${y - 6}Q${left} ${y} ${left + 6} ${y}H${left + 10}`;
  };
  return draw(
      'g', {class: 'dropped'}, draw('path', {d: texts.map(bend).join('')}),
      ...texts.map((text, i) => draw('text', {x: left + 14, y: top + i * stubHeight}, text)));
}

/** Says what a word was worth at its place. */
export function wordSentence(line, i) {
  const {text, probability, tokens} = line.words[i];
  const pieces = tokens.length > 1 ?
      ` (${
          tokens.map((token) => `${token.text} ${percent(Math.exp(token.own) || 0)}`)
              .join(', ')})` :
      '';
  return `${quoted(text)}: ${finePercent(probability)} after ${
      i === 0 ? 'the start' :
                quoted(line.words.slice(0, i).map((word) => word.text).join(' '))}${pieces}`;
}

function station(line, i, column, {chosen, fresh, listeners, font}) {
  const {text, probability} = line.words[i];
  const best = !line.parent;
  const first = !best && i === line.branch;
  const classes = ['node'];
  if (best) classes.push('best');
  if (first) classes.push('first');
  if (chosen) classes.push('chosen');
  if (fresh) classes.push('fresh');
  const label = fitted(text, column.room, font);
  return draw(
      'g', {
        class: classes.join(' '),
        role: 'img',
        tabindex: '-1',
        transform: `translate(${column.middle} ${line.y})`,
        'aria-label':
            `line ${line.row + 1}, word ${i + 1}: ${quoted(text)}, ${finePercent(probability)}`,
        on: listeners(line, i),
      },
      draw('title', {}, wordSentence(line, i)),
      draw('rect', {x: -column.room / 2 - 4, y: -13, width: column.room + 8, height: 66, rx: 7}),
      draw(
          'circle',
          {r: best   ? 6.5 :
               first ? 6 :
                       4}),
      draw('text', {class: 'node-word', y: 27, 'text-anchor': 'middle'}, label),
      draw(
          'text', {
            class: `node-chance${probability < unsure ? ' unsure' : ''}`,
            y: 45,
            'text-anchor': 'middle'
          },
          percent(probability)));
}

/**
 * The shapes of a layout. chosen(line, i) and fresh(word) say what to mark; listeners(line, i)
 * gives those of a station. Returns {shapes, stations: [{shape, line, i}]}.
 */
export function railway(plan, {chosen, fresh, listeners}) {
  const {rows, columns, stubs, width} = plan;
  const font = pageFont(14, 600);
  const stations = rows.flatMap(
      (line) => line.words.map((word, i) => ({line, i, word}))
                    .filter(({i}) => !line.parent || i >= line.branch)
                    .map(({line, i, word}) => ({
                           line,
                           i,
                           shape: station(line, i, columns[i], {
                             chosen: chosen(line, i),
                             fresh: fresh(word),
                             listeners,
                             font,
                           }),
                         })));
  const leader = (line) => {
    const from = (columns[line.words.length - 1]?.middle ?? 24) + 16;
    return width > from ? `M${from} ${line.y}H${width}` : '';
  };
  const below = [...rows].reverse();  // the best line lies on top
  return {
    stations,
    shapes: [
      draw('path', {class: 'leader', d: rows.map(leader).join('')}),
      ...stubs.map((stub) => stubShapes(stub, columns)),
      ...below.map(
          (line) =>
              draw('path', {class: `track${line.parent ? '' : ' best'}`, d: track(line, columns)})),
      ...(rows.length > 0 ? [draw('circle', {class: 'start', cx: 12, cy: rows[0].y, r: 4})] : []),
      ...stations.map(({shape}) => shape),
    ],
  };
}
