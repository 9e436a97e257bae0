// The first screen: a sentence, its translation, which word comes from which, and every head below.

import {AlignmentPanel} from './alignment_panel.js';
import {choice, labelled, make} from './dom.js';
import {GridPanel} from './grid_panel.js';
import {HeadPanel} from './head_panel.js';
import {count} from './wording.js';

function form(app) {
  const {state} = app;
  const limits = app.limits;
  const text = make('textarea', {
    rows: '2',
    id: 'sentence',
    dir: 'auto',
    spellcheck: 'false',
    maxlength: limits.chars || 5000,
    'aria-label':
        `Sentence in ${app.model ? app.model.fromName || app.model.from : 'the source language'}`,
    readOnly: !app.source.live,
    on: {
      keydown: (event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        submit();
      },
    },
  });
  const output = make('output', {
    class: 'translation',
    dir: 'auto',
    id: 'translation',
    'for': 'sentence',
    'aria-label': 'Translation',
    tabindex: '0',
  });
  const beams = [1, 2, 3, 4, 5, 6, 8].filter((size) => !limits.beam || size <= limits.beam);
  const penalty = make('input', {
    type: 'number',
    min: '0',
    max: '3',
    step: '0.1',
    value: String(state.penalty),
    on: {
      change: () => {
        const value = Number(penalty.value);
        if (Number.isFinite(value)) app.set({penalty: value});
      }
    },
  });
  const pairs = app.models.map(
      (each) => [each.name, `${each.fromName || each.from} → ${each.toName || each.to}`]);
  const pair = pairs.length > 1 ?
      choice(pairs, app.model.name, (model) => app.set({model, q: ''}), 'Languages') :
      make('span', {class: 'languages'}, pairs.length ? pairs[0][1] : '');
  const go = make('button', {type: 'submit', class: 'main'}, 'Translate');
  const submit = () => {
    const q = text.value.replace(/\s+/g, ' ').trim();
    if (q && app.source.live) app.translate(q);
  };
  const element = make(
      'form', {
        class: 'translate',
        'aria-label': 'Translate',
        on: {
          submit: (event) => {
            event.preventDefault();
            submit();
          }
        }
      },
      make(
          'div', {class: 'translate-top'}, pair,
          app.source.live ?
              make(
                  'div', {class: 'controls'},
                  labelled(
                      'Beam',
                      choice(
                          beams.map((size) => [size, String(size)]), state.beam,
                          (beam) => app.set({beam: Number(beam)}))),
                  labelled('Length penalty', penalty), go) :
              make(
                  'span', {class: 'hint'}, 'A saved translation. regard serve translates others.')),
      make('div', {class: 'texts'}, text, output));
  return {element, text, output};
}

export function translateView(app) {
  const {element: top, text, output} = form(app);
  const facts = make('p', {class: 'facts'});
  const trouble = make('p', {class: 'trouble', role: 'alert'});
  const alignment = new AlignmentPanel(app);
  const head = new HeadPanel(app);
  const grid = new GridPanel(app, (entry) => {
    app.chooseHead(entry);
    // On a narrow screen the enlarged head stands below; elsewhere this does nothing.
    head.element.scrollIntoView({block: 'nearest', behavior: app.calm ? 'auto' : 'smooth'});
  });
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'Translate'),
      make('section', {class: 'card'}, top, make('div', {class: 'facts-row'}, facts, trouble)),
      make('div', {class: 'card'}, alignment.element),
      make(
          'div', {class: 'columns'}, make('div', {class: 'card'}, grid.element),
          make('div', {class: 'card'}, head.element)));

  function update(changed) {
    if (changed.has('trace') && app.trace) {
      const {data} = app.trace;
      if (document.activeElement !== text || !text.value) text.value = data.source.text;
      output.textContent = data.translatedText;
      const {encode = 0, decode = 0} = data.timing_ms || {};
      const chance = Math.exp(data.logProbability);
      facts.textContent = [
        `${(encode + decode).toFixed(encode + decode < 10 ? 1 : 0)} ms`,
        `${count(data.target.words.length)} words`,
        `log-probability ${data.logProbability.toFixed(2)} (${
            chance >= 0.01 ? `${(chance * 100).toFixed(0)} %` : chance.toExponential(1)})`,
        `score ${data.score.toFixed(3)}`,
      ].join('  ·  ');
    }
    if (changed.has('busy')) element.classList.toggle('busy', app.busy);
    if (changed.has('trouble')) trouble.textContent = app.trouble;
    if (!app.trace) return;
    alignment.update(changed);
    grid.update(changed);
    head.update(changed);
  }
  return {element, update, start: () => text.value || (text.value = app.state.q)};
}
