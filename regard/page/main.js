// The page: holds the state, the translation and the view, and tells the view what has changed.

import {say} from './dom.js';
import {HeadSurveys} from './head_surveys.js';
import {keyForm} from './key_form.js';
import {showModel} from './model_menu.js';
import {readsPictures, viewOf} from './model_views.js';
import {openSource} from './source.js';
import {openState} from './state.js';
import {Tabs} from './tabs.js';
import {redrawnBy, themeSwitch} from './theme.js';
import {kinds, Trace} from './trace.js';
import {Turn} from './turn.js';
import {translateUntraced, untraced, withoutViews} from './untraced.js';
import {load, opener, views} from './views.js';

const everything = new Set(['trace', 'model', 'view', 'busy', 'kind', 'layer', 'head']);
const withKind = ['translate', 'heads', 'head', 'query'];  // views that show a kind of attention
const {state, set, address} = openState((names) => changed(names));
let view = null;
const translating = new Turn();  // the last translation asked for ...
let asked = {};                  // ... and what it asked for
const looking = new Turn();      // what a view asks about the translation at hand

const app = {
  state,
  set,
  address,
  source: openSource(),
  models: [],
  model: null,
  limits: {},
  trace: null,
  translation: null,  // the trace, or the translation alone of what is too long for one
  looking:
      null,     // signal of what is asked about the trace, until another comes or the view is left
  whole: null,  // what all sentences became, if there are several
  file: null,   // the panel of a dropped file, which goes on while other views are shown
  undo: new Map(),  // a prefix the reader chose -> the one before it
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

  /** Whether this text is translated, or on its way. */
  asked: (q) => asked.q === q,

  /** Another text is being written: the translation on its way is of no use. */
  giveUp(q) {
    if (!app.busy || app.asked(q)) return;
    translating.end();
    asked = {};
    app.busy = false;
    tell(['busy']);
  },

  /** Translates a text and shows a sentence of it; the last one asked for wins. */
  async translate(q) {
    if (readsPictures(app.model)) return;
    const signal = translating.next();
    const {sentence, prefix} = state;
    asked = {q, sentence, prefix};
    const wish = {...request(q), split: '1', sentence, ...(prefix ? {prefix} : {})};
    app.busy = true;
    tell(['busy']);
    try {
      const data = await app.source.inspect({...wish, encoding: 'u8'}, signal);
      if (signal.aborted) return;
      app.looking = looking.next();
      app.trace = app.translation = new Trace(data, wish);
      app.sentence = q;
      app.part = data.sentence || 0;
      asked.sentence = app.part;
      if (app.whole?.wish !== wholeWish(wish)) app.whole = null;
      app.accepted();
      if (app.source.live)
        set({q: q === (app.model && app.model.example) ? '' : q, sentence: app.part});
      if (view?.name === 'translate' && document.activeElement !== document.body)
        say(`Translation: ${data.translatedText}`);
      tell(['trace']);
      markHeads(app.trace);
      if (data.sentences?.length > 1 && !app.whole) await translateWhole(wish, signal);
    } catch (error) {
      if (signal.aborted) return;
      await translateOnly(wish, error, signal).catch((failure) => signal.aborted || app.refused(failure));
    }
    if (signal.aborted) return;
    app.busy = false;
    tell(['busy']);
  },

  /**
   * Fetches a head as it is, with its queries and keys, and shows it in place of the drawing bytes;
   * false: it did not come, and may be asked for again.
   */
  async askExact(entry) {
    const {trace, looking: signal} = app;
    if (!app.source.live) return false;
    if (entry.vectorsCame) return true;
    // What another view asked for was given up with it.
    if (trace.asked.get(entry)?.signal !== signal)
      trace.asked.set(entry, {signal, came: fetchExact(trace, entry, signal)});
    return trace.asked.get(entry).came;
  },

  /** The model that made the translation at hand; while another one is asked, not yet that. */
  ownModel() {
    const name = app.trace?.data.model.name;
    return app.models.find((model) => model.name === name) || app.model;
  },

  /** The text that is shown: as it was written; a saved page knows it normalised. */
  text: () => app.translation.data.sentences ? app.sentence : app.translation.data.source.text,

  /** The sentence to translate: what was written, or the model's example. */
  wanted: () => state.q || (app.model && app.model.example) || 'hello',

  /** An answer came, so that nothing is to be said of what went wrong before. */
  accepted() {
    trouble('');
    if (app.source.key) key.accepted();
  },

  /** Says why nothing came, and asks for a key where that is the reason. */
  refused(error) {
    trouble(error.message);
    if (!error.wantsKey) return;
    app.source.key = '';
    key.asked();
  },

  request,

  /** How wide the search is: what was chosen, as far as the server goes. */
  beam: () => Math.min(state.beam, app.limits.beam || state.beam),
};

const surveys = new HeadSurveys(app.source, (error) => app.refused(error));

/** Tells the heads of a trace what they do over several sentences. */
async function markHeads(trace) {
  const heads = await surveys.of(app.model || {});
  trace.mark(heads);
  if (trace === app.trace && heads.length > 0) tell(['exact']);
}

async function fetchExact(trace, entry, signal) {
  try {
    const {attention} = await app.source.inspect(
        {
          ...trace.request,
          attention: [entry.kind],
          layers: [entry.layer],
          heads: [entry.head],
          encoding: 'f32',
          vectors: true,
          top: 0,
        },
        signal);
    trace.refine(entry, attention[0], true);
    if (trace !== app.trace) return true;
    if (trace.lacking) trouble('');  // and leave what was said about anything else
    trace.lacking = false;
    tell(['exact']);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
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
async function translateWhole(wish, signal) {
  const {top, ...same} = wish;
  const answer = await app.source.translate({...same, words: true}, signal);
  if (signal.aborted) return;
  app.whole = {...answer, wish: wholeWish(wish)};
  tell(['whole']);
}

/** Translates what the server refuses to trace, and says why nothing else is shown of it. */
async function translateOnly(wish, refusal, signal) {
  if (app.whole?.wish !== wholeWish(wish)) {
    const answer = await translateUntraced(app.source, wish, refusal, signal);
    if (signal.aborted) return;
    app.whole = {...answer, wish: wholeWish(wish)};
  }
  app.trace = null;
  app.translation = untraced(wish, app.whole);
  app.sentence = wish.q;
  asked.sentence = app.translation.data.sentence;
  set({q: wish.q === app.model?.example ? '' : wish.q, sentence: asked.sentence});
  trouble(withoutViews(refusal));
  if (view?.name === 'translate')
    tell(['trace']);
  else
    mount();  // what the view showed of another text goes
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

const notLoaded =
    'This view could not be loaded. Is the server still running? Try again, or reload the page.';

function tell(names) {
  if (view) view.update(new Set(names));
}

/** What went wrong, in the frame, so that every view shows it; '': nothing. */
function trouble(text) { document.getElementById('trouble').textContent = text; }

const tabs = new Tabs(app, views);
const colours = themeSwitch(document.getElementById('theme'), () => view?.update(everything));

redrawnBy(() => view?.update(everything));

const key = keyForm(document.getElementById('key'), async (written) => {
  translating.end();  // a refusal on its way is not of this key
  app.source.key = written;
  await readModels().catch(() => {});  // who has the key may see more examples
  tell(['model']);
  app.translate(app.wanted());
});

function changed(names) {
  if (!view) return;  // nothing is drawn yet; what is drawn first reads the state
  const before = view.name;
  if (names.has('model')) chooseModel();
  if (state.prefix === '') app.undo.clear();
  if (viewOf(app.model, state.view) !== before)
    mount();
  else
    tell([...names].filter((name) => name !== 'view'));  // it was not opened now
  tabs.update(view.name);
  const again = ['model', 'beam', 'penalty'].some((name) => names.has(name)) ||
      (['q', 'view'].some((name) => names.has(name)) && !app.asked(app.wanted())) ||
      (names.has('sentence') && state.sentence !== asked.sentence) ||
      (names.has('prefix') && state.prefix !== asked.prefix);
  if (again && app.source.live) app.translate(app.wanted());
}

async function readModels() {
  const {models, limits} = await app.source.model();
  app.models = models;
  app.limits = limits || {};
  chooseModel();
}

function chooseModel() {
  app.model = app.models.find((model) => model.name === state.model) || app.models[0] || null;
  if (!app.model) return;
  showModel(app, document.getElementById('about'));
  tabs.make();
  if (view) tabs.update(view.name);
  if (!readsPictures(app.model)) return;
  translating.end();  // what was translated is not of this model
  app.trace = app.translation = app.whole = null;
  asked = {};
  app.busy = false;
}

/** Shows a view that has not come yet, if it is still the one asked for then. */
async function mountLater(name) {
  const wanted = () => view?.name !== name && viewOf(app.model, state.view) === name;
  try {
    await load(name);
  } catch {
    if (!wanted()) return;
    trouble(notLoaded);
    if (view) set({view: view.name});  // so that its tab asks for it again
    return;
  }
  if (wanted()) mount();
}

function mount() {
  const name = viewOf(app.model, state.view);
  const open = opener(name);
  if (!open) return mountLater(name);
  const focused = document.activeElement;
  const hadFocus = focused && focused !== document.body;
  if (view && view.stop) view.stop();
  app.looking = looking.next();
  const [, text] = views.find(([each]) => each === name);
  view = {name, ...open(app)};
  if (document.getElementById('trouble').textContent === notLoaded) trouble('');
  const main = document.getElementById('main');
  main.replaceChildren(view.element);
  document.title = ['translate', 'caption'].includes(name) ? 'regard' : `${text} · regard`;
  tabs.update(name);
  tabs.show();
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
  if (!found || !withKind.includes(view?.name) || !app.trace || app.trace.of(found[0]).length === 0)
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
    await Promise.all([readModels(), load(state.view)]);
    await mount();
    await app.translate(app.wanted());
    await Promise.allSettled(views.map(([name]) => load(name)));
  } catch (error) {
    document.getElementById('main').replaceChildren();
    trouble(error.message);
  }
  document.documentElement.dataset.ready = 'yes';
}

start();
