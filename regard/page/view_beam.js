// The search as a tree: hypotheses by step, what was dropped in grey, and what remained with its
// score.

import {draw, labelled, make, say, slider, textWidth} from './dom.js';
import {Figure} from './figure.js';
import {fixed, percent, quoted} from './wording.js';

const column = 108;
const line = 30;
const mostDropped = 4;  // drawn of a step: the nearest misses
const mostSteps = 14;   // drawn at once, so that the picture stays light and legible

const byScore = (a, b) => a.score === b.score ? 0 : b.score - a.score;

/** Nodes by step, each with its parent node and its share of the best of its step. */
function tree(nodes) {
  const steps = [];
  for (const node of nodes) (steps[node.step] ||= []).push({...node});
  const dense = Array.from(steps, (list) => list || []);
  dense.forEach((list, step) => {
    list.sort(byScore);
    for (const node of list)
      node.from = step > 0 ? dense[step - 1].find((each) => each.id === node.parent) || null : null;
  });
  return dense;
}

function path(node) {
  const nodes = [];
  for (let each = node; each; each = each.from) nodes.unshift(each);
  return nodes;
}

/** The text of a hypothesis; "▁" marks a space before a token, "‿" that there is none. */
function text(node) {
  const tokens =
      path(node).map((each) => each.text).filter((each) => each !== '</s>' && each !== '<s>');
  return tokens.some((token) => token.includes('▁')) ? tokens.join('').replaceAll('▁', ' ').trim() :
                                                       tokens.join(' ').replaceAll(' ‿', '');
}

/** What is drawn of a step: all that lived on, and the best of what was dropped. */
function drawable(nodes) {
  let dropped = 0;
  return nodes.filter((node) => node.state !== 'pruned' || ++dropped <= mostDropped);
}

export function beamView(app) {
  let steps = [];
  const svg = draw('svg', {class: 'beam', role: 'group'});
  const figure = new Figure(
      {title: 'Beam', name: 'beam', data: () => table(), json: () => app.trace.data.beam});
  const scroller = make(
      'div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Tree of hypotheses'},
      svg);
  const list = make(
      'div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Final hypotheses'});
  figure.body.append(scroller);
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'Beam'),
      make('div', {class: 'card'}, figure.element),
      make('div', {class: 'card'}, make('h2', {class: 'figure-title'}, 'Finished hypotheses'), list));

  function table() {
    return {
      columns: ['step', 'token', 'follows', 'log-probability', 'score', 'state'],
      rows: steps.flat().map(
          (node) =>
              [node.step + 1, node.text, node.from ? node.from.text : '', node.logprob, node.score,
               node.state]),
    };
  }

  /** Says what a hypothesis is worth, and rings the way to it where the reader asked. */
  function point(node, aloud, ring = true) {
    const last = node.logprob - (node.from ? node.from.logprob : 0);
    const chance = Math.exp(Math.min(0, last)) || 0;  // nothing can follow what has no chance
    const sentence =
        `${quoted(text(node) || node.text)}: log-probability ${fixed(node.logprob, 3)}, score ${
            fixed(node.score, 3)}, this token ${percent(chance)}, ${node.state}`;
    figure.note.textContent = sentence;
    if (aloud) say(sentence);
    const own = new Set(path(node));
    for (const {shape, node: each} of shapes)
      shape.classList.toggle('on-path', ring && own.has(each));
  }

  let shapes = [];

  function nodeShape(node, x, y, best) {
    const classes = `node ${node.state} ${best.has(node) ? 'best' : ''}`;
    const width = column - 26;
    let label = node.text;
    while (label.length > 1 && textWidth(label + '…', '13px system-ui, sans-serif') > width - 12)
      label = label.slice(0, -1);
    const shape = draw(
        'g', {
          class: classes,
          transform: `translate(${x} ${y})`,
          tabindex: '-1',
          on: {
            pointerenter: () => point(node, false),
            click: () => point(node, true),
            focus: () => point(node, true),
            keydown: (event) => walk(event, node),
          },
        },
        draw('rect', {width, height: line - 8, rx: 5}),
        draw(
            'text', {x: width / 2, y: (line - 8) / 2 + 4.5, 'text-anchor': 'middle'},
            label === node.text ? label : label + '…'));
    shape.setAttribute('role', 'img');
    shape.setAttribute(
        'aria-label',
        `step ${node.step + 1}, ${quoted(node.text)}, ${node.state}, score ${
            fixed(node.score, 2)}`);
    shapes.push({shape, node});
    return shape;
  }

  /** Left to the parent, right to the best child, up and down within a step. */
  function walk(event, node) {
    const all = shapes.map((each) => each.node);
    const step = all.filter((each) => each.step === node.step);
    const next = {
      ArrowLeft: () => node.from,
      ArrowRight: () => all.find((each) => each.from === node),
      ArrowUp: () => step[step.indexOf(node) - 1],
      ArrowDown: () => step[step.indexOf(node) + 1],
    }[event.key];
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const found = shapes.find((each) => each.node === next());
    if (!found) return;
    tabStop(found.node);
    found.shape.focus();
    found.shape.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  function tabStop(node) {
    for (const {shape, node: each} of shapes)
      shape.setAttribute('tabindex', each === node ? '0' : '-1');
  }

  function drawTree() {
    const last = app.state.step < 0 ? steps.length - 1 : Math.min(app.state.step, steps.length - 1);
    const first = Math.max(0, last - mostSteps + 1);
    const visible = steps.slice(first, last + 1).map(drawable);
    const finals =
        steps.slice(0, last + 1).flat().filter((node) => node.state === 'final').sort(byScore);
    const head = finals[0] || steps[last].filter((node) => node.state !== 'pruned')[0];
    const best = new Set(head ? path(head) : []);
    const tallest = Math.max(1, ...visible.map((nodes) => nodes.length));
    const [width, height] = [visible.length * column, tallest * line + 24];
    const place = new Map();
    visible.forEach(
        (nodes, i) =>
            nodes.forEach((node, row) => place.set(node, [i * column + 8, row * line + 24])));
    const edges = {kept: [], pruned: [], best: []};
    for (const [node, [x, y]] of place) {
      const from = node.from && place.get(node.from);
      if (!from) continue;
      const [startX, startY] = [from[0] + column - 26, from[1] + line / 2 - 4];
      const kind = best.has(node) ? 'best' : node.state === 'pruned' ? 'pruned' : 'kept';
      edges[kind].push(`M${startX} ${startY}C${startX + 14} ${startY} ${x - 14} ${
          y + line / 2 - 4} ${x} ${y + line / 2 - 4}`);
    }
    shapes = [];
    svg.setAttribute('width', width);
    svg.setAttribute('height', height);
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('aria-label', `Steps ${first + 1} to ${last + 1} of ${steps.length}`);
    svg.replaceChildren(
        ...visible.map(
            (_, i) => draw(
                'text', {
                  class: 'axis-text',
                  x: i * column + 8 + (column - 26) / 2,
                  y: 14,
                  'text-anchor': 'middle'
                },
                String(first + i + 1))),
        ...['pruned', 'kept', 'best'].map(
            (kind) => draw('path', {class: `edge ${kind}`, d: edges[kind].join('')})),
        ...[...place].map(([node, [x, y]]) => nodeShape(node, x, y, best)));
    figure.side.textContent = `steps ${first + 1} to ${last + 1} of ${steps.length}`;
    const pruned = steps.flat().filter((node) => node.state === 'pruned').length;
    figure.summary.textContent =
        `${steps.flat().length} hypotheses over ${steps.length} steps, ${
            pruned} dropped (dashed, grey; the ${mostDropped} best of each step are drawn). ` +
        'The best path is bold. ' +
        (first > 0 ?
             `Only ${mostSteps} steps are drawn at once; move the slider for earlier ones.` :
             '');
    const start = shapes.find((each) => each.node === head) || shapes[0];
    if (start) tabStop(start.node);
    if (head) point(head, false, false);
  }

  function drawList() {
    const finals = steps.flat().filter((node) => node.state === 'final').sort(byScore);
    list.replaceChildren(make(
        'table', {class: 'keys finals'},
        make(
            'thead', {},
            make(
                'tr', {},
                ...['rank', 'translation', 'log-probability', 'score'].map(
                    (name, i) => make('th', {scope: 'col', class: i > 1 ? 'number' : ''}, name)))),
        make(
            'tbody', {},
            ...finals.map(
                (node, i) => make(
                    'tr',
                    {class: i === 0 ? 'chosen' : '', on: {pointerenter: () => point(node, false)}},
                    make('td', {}, String(i + 1)),
                    make('th', {scope: 'row', dir: 'auto'}, text(node)),
                    make('td', {class: 'number'}, fixed(node.logprob, 3)),
                    make('td', {class: 'number'}, fixed(node.score, 3)))))));
  }

  function update(changed) {
    if (!app.trace) return;
    if (changed.has('trace')) {
      steps = tree(app.trace.data.beam);
      if (steps.length === 0) {
        figure.summary.textContent = 'No beam here: the translation was given, not searched for.';
        svg.replaceChildren();
        list.replaceChildren();
        figure.controls.replaceChildren();
        figure.note.replaceChildren();
        figure.side.textContent = '';
        figure.refresh(false);
        return;
      }
      figure.controls.replaceChildren(
          labelled('Up to step', slider({
                     low: 1,
                     high: steps.length,
                     value: app.state.step < 0 ? steps.length : app.state.step + 1,
                     label: 'Up to step',
                     change: (step) => app.set({step: step === steps.length ? -1 : step - 1}),
                   })));
      drawList();
    }
    if (steps.length > 0 && (changed.has('trace') || changed.has('step'))) drawTree();
    figure.refresh();
  }
  return {element, update};
}
