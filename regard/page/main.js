// The page: holds the state, the translation and the view, and tells the view what has changed.

import {make, say} from './dom.js';
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

import {short} from './wording.js';

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

const everything = new Set(['trace', 'model', 'view', 'busy', 'trouble', 'kind', 'layer', 'head']);
const {state, set, address} = openState((names) => changed(names));
let view = null;
let latest = 0;

const app = {
  state,
  set,
  address,
  source: openSource(),
  models: [],
  model: null,
  limits: {},
  trace: null,
  busy: false,
  trouble: '',
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

  /** Translates a sentence and shows it; the last one asked for wins. */
  async translate(q) {
    const turn = ++latest;
    app.busy = true;
    tell(['busy']);
    try {
      const data = await app.source.inspect({...request(q), encoding: 'u8'});
      if (turn !== latest) return;
      app.trace = new Trace(data);
      app.trouble = '';
      app.asked = new Set();
      app.sentence = q;
      if (app.source.live) set({q: q === (app.model && app.model.example) ? '' : q});
      if (view && state.view === 'translate' && document.activeElement !== document.body)
        say(`Translation: ${data.translatedText}`);
      tell(['trace', 'trouble']);
    } catch (error) {
      if (turn !== latest) return;
      app.trouble = error.message;
      tell(['trouble']);
    }
    app.busy = false;
    tell(['busy']);
  },

  /**
     Fetches a head as it is, with its queries and keys, and shows it in place of the drawing
     bytes.
   */
  async askExact(entry) {
    const key = `${entry.kind}.${entry.layer}.${entry.head}`;
    if (!app.source.live || app.asked.has(key)) return;
    app.asked.add(key);
    const {trace} = app;
    try {
      const data = await app.source.inspect({
        ...request(app.sentence),
        attention: [entry.kind],
        layers: [entry.layer],
        heads: [entry.head],
        encoding: 'f32',
        vectors: true,
        top: 0,
      });
      data.attention.forEach((each) => trace.refine(each));
      if (trace === app.trace) tell(['exact']);
    } catch (error) {
      app.trouble = error.message;
      tell(['trouble']);
    }
  },
};

function request(q) {
  const {model} = app;
  return {
    q,
    source: model ? model.from : '',
    target: model ? model.to : '',
    beam: state.beam,
    length_penalty: state.penalty,
    top: 5
  };
}

function tell(names) {
  if (view) view.update(new Set(names));
}

function changed(names) {
  if (names.has('model')) chooseModel();
  if (names.has('view'))
    mount();
  else
    tell([...names]);
  if (names.has('kind') || names.has('layer') || names.has('head')) drawTabs();
  const again = ['model', 'beam', 'penalty'].some((name) => names.has(name)) ||
      (names.has('q') && wanted() !== app.sentence);
  if (again && app.source.live) app.translate(wanted());
}

const wanted = () => state.q || (app.model && app.model.example) || 'hello';

function chooseModel() {
  app.model = app.models.find((model) => model.name === state.model) || app.models[0] || null;
  const about = document.getElementById('about');
  if (!app.model) return;
  const {name, parameters, spec = {}} = app.model;
  const layers = spec.encoder_layers ?
      `, ${spec.encoder_layers}+${spec.decoder_layers} layers, ${spec.heads} heads` :
      '';
  about.textContent = `${name}  (${short(parameters)} parameters${layers})`;
}

function drawTabs() {
  document.getElementById('tabs').replaceChildren(...views.map(
      ([name, text]) => make(
          'a', {
            href: address({view: name}),
            'aria-current': name === state.view ? 'page' : null,
            on: {
              click: (event) => {
                event.preventDefault();
                set({view: name});
              }
            },
          },
          text)));
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
  if (!found || !app.trace || app.trace.of(found[0]).length === 0) return;
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
    mount();
    await app.translate(wanted());
  } catch (error) {
    document.getElementById('main').replaceChildren(
        make('p', {class: 'trouble', role: 'alert'}, error.message));
  }
  document.documentElement.dataset.ready = 'yes';
}

start();
