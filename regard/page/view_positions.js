// How the model tells places apart: clocks that turn from place to place and the table they are
// read from, or what a head takes off by distance.

import {choosing, chosenToken} from './chosen_word.js';
import {Clocks, turnCount} from './clocks.js';
import {colourScale} from './colour_scale.js';
import {DistancePanel} from './distance_panel.js';
import {make, say} from './dom.js';
import {Figure} from './figure.js';
import {upTo} from './matrix.js';
import {settingsOf} from './own_settings.js';
import {PositionCurves} from './position_curves.js';
import {columnAt, pairAt, panelsOf, positionPlan, sidesOf} from './position_plan.js';
import {SignedMap} from './signed_map.js';
import {tokenNames} from './token_names.js';
import {Turn} from './turn.js';
import {usualSize} from './vector_strip.js';
import {brief, count, fixed, minus, quoted} from './wording.js';

const leastLength = 64;
const mostLength = 512;

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

const asSentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;

export function positionsView(app) {
  let plan = null;
  let asked = null;
  const turn = new Turn();
  const clocks = new Clocks();
  const map = new SignedMap({
    pointed: (row, panel, column) => look(row, columnAt(plan, panel, column)),
    picked: (row, panel, column) =>
        app.set({...choosing('source', row), dimension: columnAt(plan, panel, column)}),
    left: () => look(position(), dimension(), !columnChosen()),
  });
  const distances = new DistancePanel();
  const curves = new PositionCurves();
  const main = new Figure({title: 'Positions', name: 'positions', data: () => mainData()});
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
  const lede = make('p', {class: 'lede'});
  const element = make(
      'div', {class: 'view positions-view'},
      make('div', {class: 'view-head'}, make('h1', {}, 'Positions'), lede),
      make('div', {class: 'card'}, main.element), curves.element);
  showNothing('');

  const columnChosen = () => app.state.dimension >= 0;
  const dimension = () =>
      Math.min(columnChosen() ? app.state.dimension : 4, plan.table.columns - 1);
  const pair = () => pairAt(plan, dimension());
  const words = () => app.trace ? tokenNames(app.trace.data.source.tokens) : [];
  const unit = () => app.trace ? app.trace.unit(false) : 'word';
  const spoken = (row) => {
    const word = words()[row];
    return `place ${row + plan.first}${word ? `, ${quoted(word)}` : ''}`;
  };

  /**
   * The place that is looked at, that of the chosen word, or one after the sentence; unless one was
   * chosen, that of the sentence's last word.
   */
  function place() {
    const {state, trace} = app;
    if (state.side === 'source') return state.row;
    if (!trace) return 12;
    const last = trace.data.source.tokens.findLastIndex(
        ({word, text}) => word >= 0 && /[\p{L}\p{N}]/u.test(text));
    return chosenToken(app, 'source', Math.max(0, last));
  }

  const position = () => Math.min(place(), plan.table.rows - 1);

  /** Whose heads are drawn, after other sentences. */
  const whose = () => plan.whose && ` ${plan.whose}`;

  function showNothing(note) {
    main.body.replaceChildren();
    main.controls.replaceChildren();
    colours.replaceChildren();
    main.note.textContent = '';
    main.side.textContent = '';
    main.summary.textContent = note;
    curves.element.hidden = true;
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
    map.mark(position(), quiet ? null : plan.speeds ? pairAt(plan, column) : column);
    if (!plan.speeds) {
      main.note.textContent = `dimension ${column + 1} at ${spoken(row)}: ${value}`;
      return;
    }
    const at = pairAt(plan, column);
    const part = sidesOf(plan, at)[0] === column ? 'sine' : 'cosine';
    main.note.textContent = `pair ${at + 1} turns once in ${turnCount(plan.speeds[at])} ${
        unit()}s; its ${part} at ${spoken(row)}: ${value}`;
  }

  function move(step) {
    app.set(choosing('source', Math.min(plan.table.rows - 1, Math.max(0, position() + step))));
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
      const all = plan.speeds ? plan.speeds.length : plan.table.columns;
      const at = (plan.speeds ? pair() : dimension()) + across;
      app.set({dimension: columnAt(plan, 0, Math.min(all - 1, Math.max(0, at)))});
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
      panels: panelsOf(plan),
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
        `Each hand turns a pair of numbers of the queries and keys of every head.${whose()}` :
        'Each row is what is added to the token at that place.';
    main.summary.textContent = speeds ?
        `Each pair of dimensions is the hand of a clock: the first turns once in ${
            turnCount(speeds[0])} ${unit()}s, ` +
            `the last in ${turnCount(speeds.at(-1))}. Together they tell the place: here ${
                spoken(at).slice(6)}. ${added}` :
        added;
    curves.show(plan, dimension(), at);
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
        `${unit()} between query and key: steep heads look nearby, flat ones far.${whose()}`;
    curves.element.hidden = true;
    main.refresh();
  }

  function drawPlan() {
    lede.textContent = ledes[plan.scheme] || '';
    if (plan.slopes) return drawDistances();
    if (plan.table) return drawTable();
    const without = plan.scheme === 'none';
    const spec = app.model?.spec || {};
    main.title.textContent = without ? 'No positions' : 'Positions';
    showNothing(
        without && !app.model?.recurrent && !settingsOf(spec, 'encoder').window ?
            unordered :
            asSentence(plan.note || 'this scheme has no table'));
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
    const signal = turn.next();
    try {
      const answer = await app.source.positional(name, length, signal);
      if (signal.aborted) return;
      plan = positionPlan(answer, app.model?.spec || {}, length);
      drawPlan();
    } catch (error) {
      if (signal.aborted) return;
      asked = null;
      plan = null;
      lede.textContent = '';
      showNothing(error.message);
    }
  }

  return {
    element,
    stop: () => turn.end(),
    update(changed) {
      if (changed.has('trace') || changed.has('model') || changed.has('view')) fetchTable();
      if (plan?.table && ['dimension', 'side', 'row'].some((name) => changed.has(name)))
        drawPlace();
    },
  };
}
