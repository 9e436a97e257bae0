// The first screen, a translator: a text, what it became, which word comes from which, and four
// doors to what is inside.

import {AlignmentPanel} from './alignment_panel.js';
import {WordPanel} from './alternatives.js';
import {Chips, SearchSettings} from './chips.js';
import {choosing} from './chosen_word.js';
import {make} from './dom.js';
import {Doors} from './doors.js';
import {taker, takesFiles, textFiles} from './dropped_file.js';
import {FilePanel} from './file_panel.js';
import {icon} from './icons.js';
import {Lights} from './lights.js';
import {OutputPane} from './output_pane.js';
import {SourcePane, wordsIn} from './source_pane.js';

const longText = 40;  // words, from which on the text is set smaller

/** A model of the other direction, if one is loaded. */
function reverse(app) {
  const {from, to} = app.model || {};
  return from !== undefined && from !== to ?
      app.models.find((each) => each.from === to && each.to === from) :
      undefined;
}

/** Names of the languages above the panes, and the button that turns them round. */
class Direction {
  constructor(app, translated) {
    this.app = app;
    this.from = make('h2', {class: 'language'});
    this.to = make('h2', {class: 'language'});
    this.swap = make(
        'button', {
          type: 'button',
          class: 'icon swap',
          'aria-label': 'Swap the languages',
          on: {
            click: () => app.set({
              model: reverse(app).name,
              q: translated().trim(),
              sentence: 0,
              prefix: '',
            })
          },
        },
        icon('swap'));
    this.element = make('div', {class: 'pair-top'}, this.from, this.swap, this.to);
  }

  update() {
    const {model} = this.app;
    const [from, to] =
        [model?.fromName || model?.from || 'Source', model?.toName || model?.to || 'Output'];
    this.from.textContent = from;
    this.to.textContent = to;
    const possible = this.app.source.live && reverse(this.app);
    this.swap.disabled = !possible;
    this.swap.title = possible ? `Translate from ${to} to ${from}` :
        this.app.source.live ? `No model from ${to} to ${from} is loaded` :
                               'This is a saved file: it cannot translate';
  }
}

export function translateView(app) {
  const over = new AbortController();
  const {signal} = over;
  const lights = new Lights(app);
  const choose = (sentence) => app.set({sentence, prefix: ''});
  const output = new OutputPane(app, {picked: (index, word) => pick(index, word), choose, lights});
  const source = new SourcePane(app, {written, choose, lights, signal});
  const direction = new Direction(app, () => output.output.textContent);
  const chips = new Chips(app, (text) => source.replace(text));
  const settings = new SearchSettings(app, () => change(source.content()));
  const alignment = new AlignmentPanel(
      app, {picked: (index, word) => pick(index, word, app.state.merge), lights});
  const doors = new Doors(app);
  const panes = make('div', {class: 'panes'}, source.element, output.element);
  const pair = make(
      'section', {class: 'card translator', 'aria-label': 'Translate'}, direction.element, panes);
  const figure = make('div', {class: 'card'}, alignment.element);
  const element = make(
      'div', {class: 'view translate-view'}, make('h1', {class: 'unseen'}, 'Translate'), pair,
      make('div', {class: 'under-pair', hidden: !app.source.live}, chips.element, settings.element),
      (app.file ||= new FilePanel(app)).element, figure, doors.element);
  const panel = new WordPanel(app, {holder: element, lights, signal});
  if (app.source.live)
    takesFiles(pair, taker({
                 files: textFiles,
                 read: (name, text) => text.length <= (app.limits.chars || Infinity) ?
                     source.replace(text.trim()) :
                     app.file.take(name, text),
                 refused: (reason) => source.complain(reason),
                 signal,
               }));

  /**
   * The change of state that sends a text; nothing where it is empty or sent already. Another text
   * begins with its first sentence, and no word of it is chosen yet.
   */
  function change(text) {
    if (!text || text === app.wanted()) return {};
    return {q: text === app.model?.example ? '' : text, sentence: 0, prefix: ''};
  }

  /** ready: it has been written to its end, so far; again: even if it is the same. */
  function written(text, ready, again = false) {
    const changes = change(text);
    panes.classList.toggle('stale', app.translation !== null && text !== app.text());
    app.giveUp(text);
    panel.close();
    if (text === '') return showEmpty();
    if (!ready) return;
    if ('q' in changes)
      app.set(changes);
    else if (again || output.isEmpty() || !app.asked(text))
      app.translate(text);
  }

  function showEmpty() {
    output.empty();
    figure.hidden = doors.element.hidden = true;
    lights.follow(null);
    panes.classList.remove('stale');
    chips.update('');
  }

  function pick(index, anchor, byWord = true) {
    const {tokens, words} = app.trace.data.target;
    const whole = byWord || !app.trace.hasSubwords();
    const first = whole ? tokens.findIndex((each) => each.word === index) : index;
    if (first >= 0) app.set(choosing('target', first));
    panel.open({
      index: whole ? index : null,
      word: whole ? words[index] : tokens[index].text,
      tokens: whole ? tokens.filter((each) => each.word === index) : [tokens[index]],
      anchor,
    });
  }

  function showTrace() {
    source.show();
    const sentences = app.translation.data.sentences?.length || 1;
    panes.classList.toggle('several', sentences > 1);
    panes.style.setProperty('--sentences', String(sentences));
    panes.classList.toggle('long', wordsIn(app.text()) >= longText);
    if (source.cleared !== null) return showEmpty();
    figure.hidden = !app.trace;
    if (!app.trace) lights.follow(null);
    output.show();
    panes.classList.toggle('stale', source.content() !== app.text());
    chips.update(app.text());
  }

  function update(changed) {
    if (['view', 'model', 'beam', 'penalty'].some((name) => changed.has(name))) {
      settings.update();
      direction.update();
      source.language(app.model || {});
      output.language(app.model || {});
      chips.update(app.wanted());
    }
    if (changed.has('busy')) element.classList.toggle('busy', app.busy);
    if (!app.translation) {
      figure.hidden = doors.element.hidden = true;
      return;
    }
    // Who chose a word by keyboard goes on at that word.
    const at =
        changed.has('trace') && panel.element?.querySelector(':focus-visible') ? panel.index : null;
    if (changed.has('trace')) panel.close();
    if (changed.has('trace') || changed.has('whole')) showTrace();
    if (at !== null) output.focus(at);
    doors.element.hidden = !app.trace || source.cleared !== null;
    if (!app.trace) return;
    if (['trace', 'whole', 'side', 'row'].some((name) => changed.has(name))) output.mark();
    alignment.update(changed);
    doors.update(changed);
  }
  return {
    element,
    update,
    start: () => app.source.live && source.begin(app.wanted()),
    stop: () => {
      panel.close();
      over.abort();
    },
  };
}
