// The page: holds the state, the translation and the view, and tells the view what has changed.

import {make, say} from './dom.js';
import {keyForm} from './key_form.js';
import {openSource} from './source.js';
import {openState} from './state.js';
import {PhoneTabs} from './phone_tabs.js';
import {redrawnBy, themeSwitch} from './theme.js';
import {kinds, Trace} from './trace.js';
import {beamView} from './view_beam.js';
import {headView} from './view_head.js';
import {headsView} from './view_heads.js';
import {showModel} from './model_menu.js';
import {modelView} from './view_model.js';
import {positionsView} from './view_positions.js';
import {queryView} from './view_query.js';
import {storyView} from './view_story.js';
import {trainingView} from './view_training.js';
import {translateView} from './view_translate.js';

// By group: the text, inside the translation, the model.
const views = [
  ['translate', 'Translate', translateView, 0],
  ['story', 'Story', storyView, 0],
  ['heads', 'Heads', headsView, 1],
  ['head', 'One head', headView, 1],
  ['query', 'Query & key', queryView, 1],
  ['positions', 'Positions', positionsView, 1],
  ['beam', 'Beam', beamView, 1],
  ['model', 'Model', modelView, 2],
  ['training', 'Training', trainingView, 2],
];

const everything = new Set(['trace', 'model', 'view', 'busy', 'kind', 'layer', 'head']);
const withKind = ['translate', 'heads', 'head', 'query'];  // views that show a kind of attention
const {state, set, address} = openState((names) => changed(names));
let view = null;
let latest = 0;       // number of the last translation asked for ...
let asked = {};      // ... and what it asked for

const app = {
  state,
  set,
  address,
  source: openSource(),
  models: [],
  model: null,
  limits: {},
  trace: null,
  whole: null,  // what all sentences became, if there are several
  busy: false,
  calm: matchMedia('(prefers-reduced-motion: reduce)').matches,

  /** The head that is looked at. */
  entry() {
    const {trace} = app;
    if (!trace) return null;
    const known = trace.kinds().map(([kind]) => kind);
    const kind = known.includes(state.kind) ? state.kind : known[known.length - 1];
    return trace.find(kind, state.layer, state.head) || trace.first(kind);
  },

  /** The one beside it, or null. */
  other() {
    const entry = app.entry();
    const [layer, head] = state.other.split('.').map(Number);
    const found = entry && state.other ? app.trace.find(entry.kind, layer, head) : null;
    return found === entry ? null : found || null;
  },

  chooseHead(
      entry, more = {}) { set({kind: entry.kind, layer: entry.layer, head: entry.head, ...more}); },

  /** Translates a text and shows a sentence of it; the last one asked for wins. */
  async translate(q) {
    const turn = ++latest;
    const {sentence, prefix} = state;
    asked = {q, sentence, prefix};
    const wish = {...request(q), split: '1', sentence, ...(prefix ? {prefix} : {})};
    app.busy = true;
    tell(['busy']);
    try {
      const data = await app.source.inspect({...wish, encoding: 'u8'});
      if (turn !== latest) return;
      app.trace = new Trace(data, wish);
      app.sentence = q;
      app.part = data.sentence || 0;
      asked.sentence = app.part;
      if (app.whole?.wish !== wholeWish(wish)) app.whole = null;
      trouble('');
      if (app.source.key) key.accepted();
      if (app.source.live)
        set({q: q === (app.model && app.model.example) ? '' : q, sentence: app.part});
      if (view && state.view === 'translate' && document.activeElement !== document.body)
        say(`Translation: ${data.translatedText}`);
      tell(['trace']);
      markHeads(app.trace);
      if (data.sentences?.length > 1 && !app.whole) await translateWhole(wish, turn);
    } catch (error) {
      if (turn !== latest) return;
      app.refused(error);
    }
    if (turn !== latest) return;
    app.busy = false;
    tell(['busy']);
  },

  /**
   * Fetches a head as it is, with its queries and keys, and shows it in place of the drawing bytes;
   * false: it did not come, and may be asked for again.
   */
  async askExact(entry) {
    const {trace} = app;
    if (!app.source.live) return false;
    if (!trace.asked.has(entry)) trace.asked.set(entry, fetchExact(trace, entry));
    return trace.asked.get(entry);
  },

  /** The model that made the translation at hand; while another one is asked, not yet that. */
  ownModel() {
    const name = app.trace?.data.model.name;
    return app.models.find((model) => model.name === name) || app.model;
  },

  /** The text that is shown: as it was written; a saved page knows it normalised. */
  text: () => app.trace.data.sentences ? app.sentence : app.trace.data.source.text,

  /** The sentence to translate: what was written, or the model's example. */
  wanted: () => state.q || (app.model && app.model.example) || 'hello',

  /** Says why nothing came, and asks for a key where that is the reason. */
  refused(error) {
    trouble(error.message);
    if (!error.wantsKey) return;
    app.source.key = '';
    key.asked();
  },

  /** How wide the search is: what was chosen, as far as the server goes. */
  beam: () => Math.min(state.beam, app.limits.beam || state.beam),
};

const surveys = new Map();  // of a model: promise of what its heads do over several sentences

/** Tells the heads of a trace what they do over several sentences; without that, tags are of one. */
async function markHeads(trace) {
  const {name, examples = []} = app.model || {};
  if (examples.length === 0 && app.source.live) return;  // nothing to judge them by
  if (!surveys.has(name)) surveys.set(name, app.source.heads(name).catch(() => {
      surveys.delete(name);
      return {heads: []};
    }));
  const {heads} = await surveys.get(name);
  trace.mark(heads);
  if (trace === app.trace && heads.length > 0) tell(['exact']);
}

async function fetchExact(trace, entry) {
  try {
    const {attention} = await app.source.inspect({
      ...trace.request,
      attention: [entry.kind],
      layers: [entry.layer],
      heads: [entry.head],
      encoding: 'f32',
      vectors: true,
      top: 0,
    });
    trace.refine(entry, attention[0], true);
    if (trace !== app.trace) return true;
    if (trace.lacking) trouble('');  // and leave what was said about anything else
    trace.lacking = false;
    tell(['exact']);
    return true;
  } catch (error) {
    trace.asked.delete(entry);
    trace.lacking = true;
    if (trace === app.trace) app.refused(error);
    return false;
  }
}

/** What the translation of all sentences depends on. */
const wholeWish = ({q, model, beam, length_penalty, sentence, prefix}) =>
    JSON.stringify([q, model, beam, length_penalty, ...(prefix ? [sentence, prefix] : [])]);

/** Fetches the translations of the other sentences too. */
async function translateWhole(wish, turn) {
  const {top, ...same} = wish;
  const answer = await app.source.translate(same);
  if (turn !== latest) return;
  app.whole = {...answer, wish: wholeWish(wish)};
  tell(['whole']);
}

function request(q) {
  const {model} = app;
  return {
    q,
    model: model ? model.name : undefined,
    source: model ? model.from : '',
    target: model ? model.to : '',
    beam: app.beam(),
    length_penalty: state.penalty,
    top: 5
  };
}

function tell(names) {
  if (view) view.update(new Set(names));
}

/** What went wrong, in the frame, so that every view shows it; '': nothing. */
function trouble(text) { document.getElementById('trouble').textContent = text; }

const phone = new PhoneTabs(app, document.getElementById('phone-tabs'));
const colours = themeSwitch(document.getElementById('theme'), () => view?.update(everything));

redrawnBy(() => view?.update(everything));

const key = keyForm(document.getElementById('key'), (written) => {
  app.source.key = written;
  app.translate(asked.q);
});

function changed(names) {
  if (!view) return;  // nothing is drawn yet; what is drawn first reads the state
  if (names.has('model')) chooseModel();
  if (names.has('view'))
    mount();
  else
    tell([...names]);
  drawTabs();
  const again = ['model', 'beam', 'penalty'].some((name) => names.has(name)) ||
      (names.has('q') && app.wanted() !== asked.q) ||
      (names.has('sentence') && state.sentence !== asked.sentence) ||
      (names.has('prefix') && state.prefix !== asked.prefix);
  if (again && app.source.live) app.translate(app.wanted());
}

function chooseModel() {
  app.model = app.models.find((model) => model.name === state.model) || app.models[0] || null;
  if (app.model) showModel(app, document.getElementById('about'));
}

function makeTabs() {
  const tab = ([name, text, , group]) => make(
      'a', {
        'data-view': name,
        'data-group': group,
        on: {
          click: (event) => {
            event.preventDefault();
            set({view: name});
          }
        },
      },
      text);
  const gap = () => make('span', {class: 'tabs-gap', 'aria-hidden': 'true'});
  document.getElementById('tabs').replaceChildren(...views.flatMap(
      (each, i) => i > 0 && views[i - 1][3] !== each[3] ? [gap(), tab(each)] : [tab(each)]));
}

function drawTabs() {
  for (const tab of document.querySelectorAll('#tabs a')) {
    const name = tab.dataset.view;
    tab.href = address({view: name});
    if (name === state.view)
      tab.setAttribute('aria-current', 'page');
    else
      tab.removeAttribute('aria-current');
  }
  phone.update(state.view, views.find(([name]) => name === state.view)?.[3] === 1);
}

/** On a narrow screen the tabs scroll; by hand, because scrollIntoView would move the page too. */
function showTab() {
  const tabs = document.getElementById('tabs');
  if (tabs.clientWidth === 0) return;  // a telephone has others
  const [whole, own] =
      [tabs, tabs.querySelector('[aria-current]')].map((each) => each.getBoundingClientRect());
  tabs.scrollLeft += (own.left + own.right - whole.left - whole.right) / 2;
}

function mount() {
  const focused = document.activeElement;
  const hadFocus = focused && focused !== document.body;
  if (view && view.stop) view.stop();
  const [name, text, open] = views.find(([each]) => each === state.view) || views[0];
  view = open(app);
  const main = document.getElementById('main');
  main.replaceChildren(view.element);
  document.title = name === 'translate' ? 'regard' : `${text} · regard`;
  drawTabs();
  showTab();
  if (view.start) view.start();
  view.update(everything);
  // A reader who came by keyboard goes on where the new view begins.
  if (hadFocus)
    [...document.querySelectorAll('#tabs [aria-current], #phone-tabs [aria-current]')]
        .find((tab) => tab.getClientRects().length > 0)
        ?.focus({preventScroll: true});
}

/**
 * Wherever no text is being written: 1, 2 and 3 choose the kind of attention, d turns the colours
 * round, / goes to the text.
 */
function shortcut(event) {
  if (event.altKey || event.ctrlKey || event.metaKey ||
      event.target.closest('input:not([type=checkbox]):not([type=range]), textarea, select'))
    return;
  if (event.key === 'd') return colours.toggle();
  if (event.key === '/') {
    event.preventDefault();
    set({view: 'translate'});
    return document.getElementById('sentence')?.focus();
  }
  const found = kinds.find(([, , key]) => key === event.key);
  if (!found || !withKind.includes(state.view) || !app.trace || app.trace.of(found[0]).length === 0)
    return;
  set({kind: found[0]});
  say(found[1]);
}

async function start() {
  document.addEventListener('keydown', shortcut);
  // The address after '#' is the state, so the link that skips the tabs must not write there.
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('main').focus();
  });
  try {
    const {models, limits} = await app.source.model();
    app.models = models;
    app.limits = limits || {};
    chooseModel();
    makeTabs();
    mount();
    await app.translate(app.wanted());
  } catch (error) {
    document.getElementById('main').replaceChildren();
    trouble(error.message);
  }
  document.documentElement.dataset.ready = 'yes';
}

start();
