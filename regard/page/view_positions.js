// How the model tells places apart: clocks that turn from place to place and the table they are
// read from, or what a head takes off by distance.

import {Clocks, turnCount} from './clocks.js';
import {colourScale} from './colour_scale.js';
import {Curves} from './curves.js';
import {DistancePanel} from './distance_panel.js';
import {make, say} from './dom.js';
import {Figure} from './figure.js';
import {Matrix} from './matrix.js';
import {alibiSlopes, columnsOf, pairOf, rotaryTable, turns} from './position_schemes.js';
import {SignedMap} from './signed_map.js';
import {tokenNames} from './token_names.js';
import {usualSize} from './vector_strip.js';
import {brief, count, fixed, quoted} from './wording.js';

const leastLength = 64;
const mostLength = 512;
const upTo = (length) => Array.from({length}, (_, i) => i);
const minus = (text) => text.replace('-', '−');

const orderless = 'Attention alone does not see the order of words. ';
const ledes = {
  sinusoidal: `${
      orderless}So every place in the sentence has a pattern of its own, added to the word that stands there.`,
  learned: `${
      orderless}So every place in the sentence has a pattern of its own, learned in training and added to the word that stands there.`,
  rotary: `${
      orderless}So each place turns queries and keys by an angle of its own: their product then depends on how far apart they stand.`,
  alibi: `${
      orderless}So a key loses score the further it stands from the query, in each head at a rate of its own.`,
  none: 'Nothing is added to tell places apart.',
};
ledes['sinusoidal-halves'] = ledes.sinusoidal;
const unordered =
    'To the encoder of this model a sentence is a set of words. The decoder still learns of order: it sees only ' +
    'the words before each place.';

/** What is drawn for a scheme: {scheme, table, speeds, slopes, first, note}. */
function readAnswer(answer, spec, length) {
  const {scheme = spec.position || 'none', first = 0, note = ''} = answer;
  const plan = {scheme, first, note, table: null, speeds: null, slopes: null};
  if (scheme === 'alibi') return {...plan, slopes: alibiSlopes(spec.heads || 1)};
  if (scheme === 'rotary' && spec.d_model) {
    const width = Math.floor(spec.d_model / (spec.heads || 1));
    return {...plan, table: rotaryTable(length, width, first), speeds: turns(scheme, width)};
  }
  if (!(answer.rows > 0)) return plan;
  return {...plan, table: Matrix.decoded(answer), speeds: turns(scheme, answer.cols)};
}

export function positionsView(app) {
  let plan = null;
  let asked = null;
  const clocks = new Clocks();
  const map = new SignedMap({
    pointed: (row, panel, column) => look(row, columnAt(panel, column)),
    picked: (row, panel, column) => app.set({position: row, dimension: columnAt(panel, column)}),
    left: () => look(position(), dimension(), !columnChosen()),
  });
  const distances = new DistancePanel();
  const wave = new Curves({height: 200});
  const alike = new Curves({height: 200});
  const main = new Figure({title: 'Positions', name: 'positions', data: () => mainData()});
  const waves = new Figure({
    title: 'Three hands, unrolled',
    name: 'position-wave',
    data: () => {
      const series = unrolled();
      return {
        columns: ['position', ...series.map(({name}) => name)],
        rows: upTo(plan.table.rows)
                  .map((i) => [i + plan.first, ...series.map(({points}) => points[i][1])]),
      };
    },
  });
  const near = new Figure({
    title: 'What is near?',
    name: 'position-similarity',
    data: () => ({columns: ['position', 'cosine similarity'], rows: similarity()})
  });
  waves.body.append(wave.element);
  near.body.append(alike.element);
  const slider = make(
      'div', {
        class: 'places',
        tabindex: '0',
        role: 'slider',
        'aria-orientation': 'vertical',
        on: {keydown: (event) => walk(event)},
      },
      clocks.element, map.element);
  const colours = make('div', {class: 'figure-colours'});
  main.side.after(colours);
  const curves = make(
      'div', {class: 'columns even'}, make('div', {class: 'card'}, waves.element),
      make('div', {class: 'card'}, near.element));
  const lede = make('p', {class: 'lede'});
  const element = make(
      'div', {class: 'view positions-view'},
      make('div', {class: 'view-head'}, make('h1', {}, 'Positions'), lede),
      make('div', {class: 'card'}, main.element), curves);
  showNothing('');

  const width = () => plan.table.columns;
  const columnChosen = () => app.state.dimension >= 0;
  const dimension = () => Math.min(columnChosen() ? app.state.dimension : 4, width() - 1);
  const pair = () => pairOf(plan.scheme, width(), dimension());
  const words = () => app.trace ? tokenNames(app.trace.data.source.tokens) : [];
  const unit = () => app.trace ? app.trace.unit(false) : 'word';
  const spoken = (row) => {
    const word = words()[row];
    return `place ${row + plan.first}${word ? `, ${quoted(word)}` : ''}`;
  };

  /** The place that is looked at; unless one was chosen, that of the sentence's last word. */
  function position() {
    const last = app.trace ? app.trace.data.source.tokens.findLastIndex(
                                 ({word, text}) => word >= 0 && /[\p{L}\p{N}]/u.test(text)) :
                             12;
    return Math.min(
        app.state.position < 0 ? Math.max(0, last) : app.state.position, plan.table.rows - 1);
  }

  const columnAt = (panel, column) =>
      plan.speeds ? columnsOf(plan.scheme, width(), column)[panel] : column;

  function showNothing(note) {
    main.body.replaceChildren();
    main.controls.replaceChildren();
    colours.replaceChildren();
    main.note.textContent = '';
    main.side.textContent = '';
    main.summary.textContent = note;
    curves.hidden = true;
    main.refresh(false);
  }

  function mainData() {
    if (plan.slopes) return distances.data();
    const {table, first} = plan;
    return {
      columns: ['position', ...upTo(table.columns).map((i) => i + 1)],
      rows: upTo(table.rows).map((i) => [i + first, ...table.row(i)]),
    };
  }

  /** A place and a column in words; quiet: no line marks the column. */
  function look(row, column, quiet = false) {
    const value = minus(fixed(plan.table.at(row, column), 3));
    map.mark(
        position(),
        quiet           ? null :
            plan.speeds ? pairOf(plan.scheme, width(), column) :
                          column);
    if (!plan.speeds) {
      main.note.textContent = `dimension ${column + 1} at ${spoken(row)}: ${value}`;
      return;
    }
    const at = pairOf(plan.scheme, width(), column);
    const part = columnsOf(plan.scheme, width(), at)[0] === column ? 'sine' : 'cosine';
    main.note.textContent = `pair ${at + 1} turns once in ${turnCount(plan.speeds[at])} ${
        unit()}s; its ${part} at ${spoken(row)}: ${value}`;
  }

  function panels() {
    const {table, speeds, scheme} = plan;
    if (!speeds) return [{matrix: table, name: 'dimension'}];
    return ['sine of pair', 'cosine of pair'].map((name, side) => {
      const matrix = new Matrix(table.rows, speeds.length);
      for (let row = 0; row < table.rows; ++row)
        speeds.forEach((_, j) => {
          matrix.values[row * speeds.length + j] =
              table.at(row, columnsOf(scheme, width(), j)[side]);
        });
      return {matrix, name};
    });
  }

  function move(step) {
    app.set({position: Math.min(plan.table.rows - 1, Math.max(0, position() + step))});
  }

  function walk(event) {
    const {rows} = plan.table;
    const down =
        {ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -rows, End: rows}[event.key];
    const across = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!down && !across) return;
    event.preventDefault();
    if (down) {
      move(down);
      say(spoken(position()));
    } else {
      const all = plan.speeds ? plan.speeds.length : width();
      const at = (plan.speeds ? pair() : dimension()) + across;
      app.set({dimension: columnAt(0, Math.min(all - 1, Math.max(0, at)))});
      say(main.note.textContent);
    }
  }

  function drawControls() {
    const arrow = (text, label, step) => make(
        'button',
        {type: 'button', class: 'plain square', 'aria-label': label, on: {click: () => move(step)}},
        text);
    main.controls.replaceChildren(make(
        'span', {class: 'pair'}, arrow('↑', 'The place before', -1),
        arrow('↓', 'The next place', 1), make('span', {class: 'field-name'}, 'move the place')));
  }

  function drawTable() {
    const {table, speeds, scheme} = plan;
    const most = speeds ? 1 : usualSize(table.values);
    main.title.textContent = speeds ? 'A row of clocks' : 'A pattern for each place';
    main.side.textContent = scheme === 'rotary' ?
        `rotary: turns queries and keys · ${count(speeds.length)} pairs in each head` :
        `${scheme} · ${count(table.rows)} places of ${count(table.columns)} numbers`;
    colours.replaceChildren(
        colourScale({name: 'value', ticks: [`−${brief(most)}`, brief(most)], palette: 'signed'}));
    drawControls();
    clocks.element.hidden = !speeds;
    if (slider.parentNode !== main.body) main.body.replaceChildren(slider);
    map.show({
      panels: panels(),
      most,
      side: 'position in the sentence',
      names: upTo(table.rows).map((i) => ({number: i + plan.first, word: words()[i]})),
      row: position(),
      column: null,
    });
    slider.setAttribute('aria-label', 'Place in the sentence');
    slider.setAttribute('aria-valuemin', String(plan.first));
    slider.setAttribute('aria-valuemax', String(table.rows - 1 + plan.first));
    drawPlace();
    curves.hidden = false;
    main.refresh();
  }

  /** All that moves with the place or the dimension. */
  function drawPlace() {
    const at = position();
    const {speeds, first, scheme} = plan;
    if (speeds)
      clocks.show({
        speeds,
        place: at + first,
        first,
        pair: columnChosen() ? pair() : -1,
        unit: `${unit()}s`
      });
    slider.setAttribute('aria-valuenow', String(at + first));
    slider.setAttribute('aria-valuetext', spoken(at));
    look(at, dimension(), !columnChosen());
    const added = scheme === 'rotary' ?
        'Each hand turns a pair of numbers of the queries and keys of every head.' :
        'Each row is what is added to the token at that place.';
    main.summary.textContent = speeds ?
        `Each pair of dimensions is the hand of a clock: the first turns once in ${
            turnCount(speeds[0])} ${unit()}s, ` +
            `the last in ${turnCount(speeds.at(-1))}. Together they tell the place: here ${
                spoken(at).slice(6)}. ${added}` :
        added;
    drawCurves();
  }

  function unrolled() {
    const {table, speeds, scheme} = plan;
    const wave = (column, name) =>
        ({name, points: upTo(table.rows).map((i) => [i + plan.first, table.at(i, column)])});
    if (!speeds) return [wave(dimension(), `dimension ${dimension() + 1}`)];
    const chosen = pair();
    const apart = (j) => Math.abs(j - chosen);
    const others = [1 / 25, 1 / 6, 1 / 3]
                       .map((share) => Math.floor(speeds.length * share))
                       .sort((a, b) => apart(b) - apart(a))
                       .slice(0, 2);
    return [...new Set([chosen, ...others])]
        .sort((a, b) => a - b)
        .map((j) => wave(columnsOf(scheme, width(), j)[0], `pair ${j + 1}, sine`));
  }

  /** The cosine of the angle between the pattern of the place and each other. */
  function similarity() {
    const {table, first} = plan;
    const product = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);
    const own = table.row(position());
    const size = Math.sqrt(product(own, own)) || 1;
    return upTo(table.rows).map((i) => {
      const other = table.row(i);
      return [i + first, product(own, other) / (size * (Math.sqrt(product(other, other)) || 1))];
    });
  }

  function drawCurves() {
    const series = unrolled();
    waves.title.textContent =
        series.length > 1 ? 'Three hands, unrolled' : 'One dimension, unrolled';
    waves.side.textContent = 'One number from place to place.';
    wave.show({
      series,
      xName: 'position',
      yName: 'value',
      label: `${series.map(({name}) => name).join('; ')} by position`
    });
    near.title.textContent = `What is near ${position() + plan.first}?`;
    near.side.textContent = plan.scheme === 'rotary' ?
        'What is left of a match when one of the two moves away.' :
        'The cosine of one place’s pattern with every other: near ones are alike.';
    alike.show({
      series: [{name: 'cosine similarity', points: similarity()}],
      xName: 'position',
      yName: 'cosine similarity',
      label: `Likeness to position ${position() + plan.first}`
    });
    waves.refresh();
    near.refresh();
  }

  function drawDistances() {
    const {slopes} = plan;
    main.title.textContent = 'Less score with distance';
    main.side.textContent =
        `alibi · ${count(slopes.length)} ${slopes.length === 1 ? 'head' : 'heads'}`;
    colours.replaceChildren();
    main.controls.replaceChildren();
    main.note.textContent = '';
    if (distances.element.parentNode !== main.body) main.body.replaceChildren(distances.element);
    distances.show(slopes, leastLength, unit());
    main.summary.textContent =
        'Nothing is added to the tokens. In self-attention a head takes its own amount off a score for each ' +
        `${unit()} between query and key: steep heads look nearby, flat ones far.`;
    curves.hidden = true;
    main.refresh();
  }

  function drawPlan() {
    lede.textContent = ledes[plan.scheme] || '';
    if (plan.slopes) return drawDistances();
    if (plan.table) return drawTable();
    const without = plan.scheme === 'none';
    main.title.textContent = without ? 'No positions' : 'Positions';
    showNothing(
        without && app.model?.spec?.architecture === 'transformer' ?
            unordered :
            plan.note || 'This scheme has no table.');
  }

  /** As many places as the sentence has, and not fewer than make a picture. */
  function wantedLength() {
    const tokens = app.trace ? app.trace.data.source.tokens.length : 0;
    return Math.min(mostLength, Math.max(leastLength, Math.ceil(tokens / 32) * 32));
  }

  async function fetchTable() {
    const name = app.model ? app.model.name : '';
    const length = wantedLength();
    const wish = `${name} ${length}`;
    if (asked === wish) return plan && drawPlan();
    asked = wish;
    try {
      const answer = await app.source.positional(name, length);
      if (asked !== wish) return;
      plan = readAnswer(answer, app.model?.spec || {}, length);
      drawPlan();
    } catch (error) {
      if (asked !== wish) return;
      asked = null;
      plan = null;
      lede.textContent = '';
      showNothing(error.message);
    }
  }

  return {
    element,
    update(changed) {
      if (changed.has('trace') || changed.has('model') || changed.has('view')) fetchTable();
      if (plan?.table && (changed.has('dimension') || changed.has('position'))) drawPlace();
    },
  };
}
