// Eight steps through the sentence at hand, from tokens to the word that is chosen.

import {choosing} from './chosen_word.js';
import {drawnToWidth, make, say} from './dom.js';
import {Figure} from './figure.js';
import {positions, query, tokens} from './story_columns.js';
import {askForStory, storyFacts, storyPending} from './story_data.js';
import {chosen, layers, reading} from './story_layers.js';
import {heads, values, weights} from './story_mixing.js';
import {Stage} from './story_stage.js';
import {tableOf} from './story_tables.js';
import {stepsOf} from './story_text.js';

const columns = {
  tokens,
  positions,
  query,
  weights,
  values,
  heads,
  layers,
  reading,
  chosen
};
const reasons = ['trace', 'exact', 'stage', 'side', 'row', 'model', 'story'];

export function storyView(app) {
  let facts = null;
  let told = '';  // the step that was read out last

  const where = make('p', {class: 'story-where'});
  const title = make('h1', {class: 'story-title'});
  const words = make('div', {class: 'story-words'});
  const bars = make('div', {class: 'story-bars', role: 'group', 'aria-label': 'Steps'});
  const back =
      make('button', {type: 'button', class: 'story-back', on: {click: () => go(-1)}}, '← Back');
  const next = make('button', {type: 'button', class: 'main story-next', on: {click: () => go(1)}});
  const stage = new Stage({chosen: (row) => app.set(choosing('source', row))});
  const figure = new Figure({
    title: 'Story',
    name: 'story',
    data: () => tableOf(step()[0], facts),
    json: () =>
        ({step: title.textContent, token: facts.name, ...tableOf(step()[0], facts, Infinity)}),
  });
  figure.body.append(stage.svg);
  const card = make(
      'section', {class: 'card story'}, make('div', {class: 'story-told'}, where, title, words),
      make('div', {class: 'story-go'}, bars, make('div', {class: 'story-buttons'}, back, next)),
      make('div', {class: 'story-stage'}, figure.element));
  const empty = make('p', {class: 'waiting'});
  const element = make('div', {class: 'view'}, card, empty);
  const redraw = drawnToWidth(figure.body, () => facts && drawFigure());

  const steps = () => stepsOf(facts);
  const at = () => Math.min(app.state.stage, steps().length);
  const step = () => steps()[at() - 1];

  function go(by) {
    if (!facts) return;
    const to = at() + by;
    if (to > steps().length) return leave();
    if (to >= 1) app.set({stage: to});
  }

  /** To the text, to write another. */
  function leave() {
    app.set({view: 'translate'});
    document.getElementById('sentence')?.focus();
  }

  function part(each) {
    if (typeof each === 'string') return each.replaceAll('< ', '<\u00a0').replaceAll(' %', '\u00a0%');  // stay together
    if (each.term) return make('em', {}, each.term);
    const follow = (event) => {
      event.preventDefault();
      app.set({view: each.view});
    };
    return make('a', {href: app.address({view: each.view}), on: {click: follow}}, each.text);
  }

  function drawText({title: heading, say: paragraphs, note}) {
    const count = steps().length;
    where.textContent = `${at()} of ${count}`;
    title.textContent = heading;
    words.replaceChildren(
        ...paragraphs.map((each) => make('p', {dir: 'auto'}, ...each.map(part))),
        make('p', {class: 'story-note', dir: 'auto'}, ...note.map(part)));
    back.disabled = at() === 1;
    next.textContent = at() < count ? 'Next →' :
        app.source.live             ? 'Try your own' :
                                      'To the translation';
  }

  function drawBars() {
    if (bars.children.length !== steps().length)
      bars.replaceChildren(...steps().map(
          (_, i) => make('button', {type: 'button', on: {click: () => app.set({stage: i + 1})}})));
    steps().forEach(([, write], i) => {
      const bar = bars.children[i];
      const name = `Step ${i + 1}: ${write(facts).title}`;
      bar.title = name;
      bar.setAttribute('aria-label', name);
      bar.classList.toggle('past', i + 1 < at());
      if (i + 1 === at())
        bar.setAttribute('aria-current', 'step');
      else
        bar.removeAttribute('aria-current');
    });
  }

  function drawFigure() {
    const width = Math.floor(figure.body.clientWidth);
    if (width < 100) return;
    stage.begin(facts, width);
    const scale = columns[step()[0]](stage, facts);
    figure.side.replaceChildren(...(scale || []));
  }

  function update(changed) {
    if (!reasons.some((name) => changed.has(name))) return;
    if (!changed.has('exact') && !changed.has('story'))
      askForStory(app, () => update(new Set(['story'])));
    facts = storyFacts(app);
    card.hidden = !facts;
    empty.hidden = facts !== null || !app.trace;
    empty.textContent = 'This translation came without weights, so there is no story to tell.';
    if (!facts) return;
    facts.pending = storyPending(app);
    card.setAttribute('aria-busy', String(facts.pending));
    const text = step()[1](facts);
    drawText(text);
    drawBars();
    figure.title.textContent = text.title;
    const rows = `${facts.rows.length} rows, one per source token`;
    stage.svg.setAttribute(
        'aria-label',
        `${text.title}. ${rows}. Up and down choose a token: ${
            facts.name}. The table below has the numbers.`);
    redraw();
    figure.refresh();
    const now = `${where.textContent}: ${text.title}`;
    if (changed.has('stage') && told !== now) say(now);
    if (changed.has('row') || changed.has('side')) say(facts.name);
    told = now;
  }

  /** Left and right, wherever they mean nothing else. */
  function onKey(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!by || !facts || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ||
        event.target.closest('input, textarea, select, .twin, [role=menu]'))
      return;
    if (at() + by < 1 || at() + by > steps().length) return;
    event.preventDefault();
    go(by);
  }

  return {
    element,
    update,
    start: () => document.addEventListener('keydown', onKey),
    stop: () => document.removeEventListener('keydown', onKey),
  };
}
