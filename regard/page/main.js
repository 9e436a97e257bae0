// The page: holds the state, the translation and the view, and tells the view what has changed.

import {make, say} from './dom.js';
import {keyForm} from './key_form.js';
import {openSource} from './source.js';
import {openState} from './state.js';
import {kinds, Trace} from './trace.js';
import {beamView} from './view_beam.js';
import {headView} from './view_head.js';
import {headsView} from './view_heads.js';
import {modelView} from './view_model.js';
import {positionsView} from './view_positions.js';
import {queryView} from './view_query.js';
import {trainingView} from './view_training.js';
import {translateView} from './view_translate.js';
import {several, short} from './wording.js';

const views = [
  ['translate', 'Translate', translateView],
  ['heads', 'Heads', headsView],
  ['head', 'One head', headView],
  ['query', 'Query–key', queryView],
  ['positions', 'Positions', positionsView],
  ['beam', 'Beam', beamView],
  ['training', 'Training', trainingView],
  ['model', 'Model', modelView],
];

const everything = new Set(['trace', 'model', 'view', 'busy', 'kind', 'layer', 'head']);
const withKind = ['translate', 'heads', 'head', 'query'];  // views that show a kind of attention
const {state, set, address} = openState((names) => changed(names));
let view = null;
let latest = 0;       // number of the last translation asked for ...
let latestText = '';  // ... and its sentence

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
    latestText = q;
    const {sentence, prefix} = state;
    const wish = {...request(q), split: '1', sentence, ...(prefix ? {prefix} : {})};
    app.busy = true;
    tell(['busy']);
    try {
      const data = await app.source.inspect({...wish, encoding: 'u8'});
      if (turn !== latest) return;
      app.trace = new Trace(data, wish);
      app.sentence = q;
      app.part = data.sentence || 0;
      if (app.whole?.wish !== wholeWish(wish)) app.whole = null;
      trouble('');
      if (app.source.key) key.accepted();
      if (app.source.live)
        set({q: q === (app.model && app.model.example) ? '' : q, sentence: app.part});
      if (view && state.view === 'translate' && document.activeElement !== document.body)
        say(`Translation: ${data.translatedText}`);
      tell(['trace']);
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
    trace.refine(entry, attention[0]);
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

const key = keyForm(document.getElementById('key'), (written) => {
  app.source.key = written;
  app.translate(latestText);
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
      (names.has('q') && app.wanted() !== app.sentence) ||
      (names.has('sentence') && state.sentence !== app.part) ||
      (names.has('prefix') && state.prefix !== (app.trace?.request.prefix || ''));
  if (again && app.source.live) app.translate(app.wanted());
}

function chooseModel() {
  app.model = app.models.find((model) => model.name === state.model) || app.models[0] || null;
  const about = document.getElementById('about');
  if (!app.model) return;
  const {name, parameters, architecture, spec = {}} = app.model;
  const recurrent = architecture === 'bahdanau';
  const layers = spec.encoder_layers ?
      `, ${recurrent ? 'recurrent, ' : ''}${spec.encoder_layers}+${spec.decoder_layers} layers, ${
          several(recurrent ? 1 : spec.heads, 'head')}` :
      '';
  about.textContent = `${name}  (${short(parameters)} parameters${layers})`;
}

function makeTabs() {
  document.getElementById('tabs').replaceChildren(...views.map(
      ([name, text]) => make(
          'a', {
            on: {
              click: (event) => {
                event.preventDefault();
                set({view: name});
              }
            },
          },
          text)));
}

function drawTabs() {
  const tabs = document.getElementById('tabs');
  views.forEach(([name], i) => {
    const tab = tabs.children[i];
    tab.href = address({view: name});
    if (name !== state.view) return tab.removeAttribute('aria-current');
    tab.setAttribute('aria-current', 'page');
  });
}

/** On a narrow screen the tabs scroll; by hand, because scrollIntoView would move the page too. */
function showTab() {
  const tabs = document.getElementById('tabs');
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
  if (hadFocus) document.querySelector('#tabs [aria-current]').focus({preventScroll: true});
}

/** e, d and c choose the kind of attention wherever no text is being written. */
function shortcut(event) {
  if (event.altKey || event.ctrlKey || event.metaKey ||
      event.target.closest('input:not([type=checkbox]):not([type=range]), textarea, select'))
    return;
  const found = kinds.find(([, , key]) => key === event.key.toLowerCase());
  if (!found || !withKind.includes(state.view) || !app.trace || app.trace.of(found[0]).length === 0)
    return;
  set({kind: found[0]});
  say(`${found[1]} attention`);
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
