// The first screen: a sentence, its translation, which word comes from which, and every head below.

import {AlignmentPanel} from './alignment_panel.js';
import {choice, labelled, make} from './dom.js';
import {GridPanel} from './grid_panel.js';
import {HeadPanel} from './head_panel.js';
import {SentenceList} from './sentence_list.js';
import {fixed, several} from './wording.js';

const beams = [1, 2, 3, 4, 5, 6, 8, 12, 16];

/** Names of the models for a menu: the languages, and the name where those occur twice. */
function modelNames(models) {
  const languages = (each) => `${each.fromName || each.from} → ${each.toName || each.to}`;
  const twice = (each) =>
      models.some((other) => other !== each && languages(other) === languages(each));
  return models.map(
      (each) => [each.name, languages(each) + (twice(each) ? ` (${each.name})` : '')]);
}

/** The controls of the search; the sentence is what stands in its box, sent or not. */
function searchControls(app, sentence) {
  const {limits} = app;
  const sizes = beams.filter((size) => size <= (limits.beam || 8));
  const beam = choice(
      [...new Set([...sizes, app.beam()])].sort((a, b) => a - b).map((size) => [size, size]),
      app.beam(), (size) => app.set({beam: Number(size), ...sentence()}));
  const penalty = make('input', {
    type: 'number',
    min: '0',
    max: '3',
    step: '0.05',
    required: true,
    on: {
      change: () => {
        if (penalty.reportValidity()) app.set({penalty: Number(penalty.value), ...sentence()});
      }
    },
  });
  return {
    beam,
    penalty,
    update() {
      if (![...beam.options].some((option) => Number(option.value) === app.beam()))
        beam.append(make('option', {value: String(app.beam())}, String(app.beam())));
      beam.value = String(app.beam());
      if (Number(penalty.value) !== app.state.penalty || penalty.value === '')
        penalty.value = String(app.state.penalty);
    }
  };
}

function form(app) {
  const text = make('textarea', {
    rows: '2',
    id: 'sentence',
    dir: 'auto',
    spellcheck: 'false',
    maxlength: app.limits.chars || 5000,
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
  const written = () => text.value.trim();
  /**
   * The change of state that sends what stands in the box; nothing where the box is empty. Another
   * text begins with its first sentence, and no word of it is chosen yet.
   */
  const sentence = () => {
    if (!written() || written() === app.wanted()) return {};
    return {q: written() === app.model?.example ? '' : written(), sentence: 0, prefix: ''};
  };
  const search = searchControls(app, sentence);
  const names = modelNames(app.models);
  const other = (name) => {
    const next = app.models.find((model) => model.name === name);
    app.set({
      model: name,
      prefix: '',
      ...(next.from === app.model.from ? sentence() : {q: '', sentence: 0})
    });
  };
  const pair = names.length > 1 ? choice(names, app.model.name, other, 'Languages') :
                                  make('span', {class: 'languages'}, names[0]?.[1] || '');
  const go = make('button', {type: 'submit', class: 'main'}, 'Translate');
  const submit = () => {
    if (!written() || !app.source.live || !search.penalty.reportValidity()) return;
    const change = sentence();
    if ('q' in change)
      app.set(change);
    else
      app.translate(written());  // again
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
                  'div', {class: 'controls'}, labelled('Beam', search.beam),
                  labelled('Length penalty', search.penalty), go) :
              make(
                  'span', {class: 'hint'}, 'A saved translation. regard serve translates others.')),
      make('div', {class: 'texts'}, text, output));

  /** The controls follow the state, wherever it was changed. */
  function update(changed) {
    if (!['view', 'model', 'beam', 'penalty'].some((name) => changed.has(name))) return;
    search.update();
    if (names.length > 1) pair.value = app.model.name;
    const language = app.model ? app.model.fromName || app.model.from : 'the source language';
    text.setAttribute('aria-label', `Sentence in ${language}`);
  }
  return {element, text, output, update};
}

/** Which words the reader has chosen, and the way back. */
function showPinned(app, note) {
  const {prefix} = app.trace.request;
  note.hidden = !prefix;
  note.replaceChildren();
  if (!prefix) return;
  note.append(
      'You chose how it begins: ', make('q', {dir: 'auto'}, prefix), ' ',
      make('button', {type: 'button', class: 'plain', on: {click: () => app.set({prefix: ''})}}, 'Reset'));
}

export function translateView(app) {
  const {element: top, text, output, update: updateForm} = form(app);
  const facts = make('p', {class: 'facts'});
  const pinned = make('p', {class: 'pinned', hidden: true});
  const sentences = new SentenceList(app);
  const alignment = new AlignmentPanel(app);
  const head = new HeadPanel(app);
  const grid = new GridPanel(app, (entry) => {
    app.chooseHead(entry);
    // On a narrow screen the enlarged head stands below; elsewhere this does nothing.
    head.element.scrollIntoView({block: 'nearest', behavior: app.calm ? 'auto' : 'smooth'});
  });
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'Translate'),
      make(
          'section', {class: 'card'}, top, sentences.element,
          pinned, make('div', {class: 'facts-row'}, facts)),
      make('div', {class: 'card'}, alignment.element),
      make(
          'div', {class: 'columns'}, make('div', {class: 'card'}, grid.element),
          make('div', {class: 'card'}, head.element)));

  function update(changed) {
    updateForm(changed);
    if (changed.has('trace') && app.trace) {
      const {data} = app.trace;
      if (document.activeElement !== text || !text.value) text.value = app.text();
      showPinned(app, pinned);
      const {encode = 0, decode = 0} = data.timing_ms || {};
      const chance = Math.exp(data.log_probability);
      facts.textContent = [
        `${(encode + decode).toFixed(encode + decode < 10 ? 1 : 0)} ms`,
        several(data.target.words.length, 'word'),
        `log-probability ${fixed(data.log_probability, 2)} (${
            chance >= 0.01 || chance === 0 ? `${(chance * 100).toFixed(0)} %` :
                                             chance.toExponential(1)})`,
        `score ${fixed(data.score, 3)}`,
      ].join('  ·  ');
    }
    if ((changed.has('trace') || changed.has('whole')) && app.trace) {
      output.textContent = (app.whole || app.trace.data).translatedText;
      sentences.update();
    }
    if (changed.has('busy')) element.classList.toggle('busy', app.busy);
    if (!app.trace) return;
    alignment.update(changed);
    grid.update(changed);
    head.update(changed);
  }
  return {
    element,
    update,
    start: () => text.value || (text.value = app.source.live ? app.wanted() : '')
  };
}
