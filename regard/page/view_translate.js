// The first screen, a translator: a text, what it became, which word comes from which, and four
// doors to what is inside.

import {AlignmentPanel} from './alignment_panel.js';
import {WordPanel} from './alternatives.js';
import {Chips, SearchSettings} from './chips.js';
import {icon} from './copying.js';
import {make} from './dom.js';
import {Doors} from './doors.js';
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
    const [from, to] = [model?.fromName || model?.from || 'Source', model?.toName || model?.to || 'Output'];
    this.from.textContent = from;
    this.to.textContent = to;
    const possible = this.app.source.live && reverse(this.app);
    this.swap.disabled = !possible;
    this.swap.title = possible ? `Translate from ${to} to ${from}` :
                                 `No model from ${to} to ${from} is loaded`;
  }
}

/** A text file that is dropped on the element is handed to read(file); another is refused(text). */
function takesFiles(element, read, refused) {
  const over = (on) => element.classList.toggle('dropping', on);
  const carries = (event) => [...event.dataTransfer.types].includes('Files');
  element.addEventListener('dragover', (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    over(true);
  });
  element.addEventListener('dragleave', () => over(false));
  element.addEventListener('drop', (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    over(false);
    const [file] = event.dataTransfer.files;
    if (!file) return;
    if (file.type.startsWith('text/') || /\.txt$/i.test(file.name))
      read(file);
    else
      refused(`${file.name} is not a text file.`);
  });
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
      make(
          'div', {class: 'under-pair', hidden: !app.source.live}, chips.element, settings.element),
      figure, doors.element);
  const panel = new WordPanel(app, {holder: element, lights, signal});
  if (app.source.live)
    takesFiles(pair, async (file) => {
      const most = 2 * (app.limits.chars || 5000);
      source.replace((await file.slice(0, 4 * most).text()).slice(0, most).trim());
    }, (text) => source.complain(text));

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
    panes.classList.toggle('stale', app.trace !== null && text !== app.text());
    panel.close();
    if (text === '') return showEmpty();
    if (!ready) return;
    if ('q' in changes)
      app.set(changes);
    else if (again || output.words.length === 0)
      app.translate(text);
  }

  function showEmpty() {
    output.empty();
    figure.hidden = true;
    lights.follow(null);
    panes.classList.remove('stale');
    chips.update('');
  }

  function pick(index, anchor, byWord = true) {
    const {tokens, words} = app.trace.data.target;
    const whole = byWord || !app.trace.hasSubwords();
    panel.open({
      index: whole ? index : null,
      word: whole ? words[index] : tokens[index].text,
      tokens: whole ? tokens.filter((each) => each.word === index) : [tokens[index]],
      anchor,
    });
  }

  function showTrace() {
    source.show();
    const sentences = app.trace.data.sentences?.length || 1;
    panes.classList.toggle('several', sentences > 1);
    panes.style.setProperty('--sentences', String(sentences));
    panes.classList.toggle('long', wordsIn(app.text()) >= longText);
    if (source.cleared !== null) return showEmpty();
    figure.hidden = false;
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
    }
    if (changed.has('busy')) element.classList.toggle('busy', app.busy);
    if (!app.trace) {
      figure.hidden = doors.element.hidden = true;
      return;
    }
    if (changed.has('trace')) panel.close();
    if (changed.has('trace') || changed.has('whole')) showTrace();
    doors.element.hidden = false;
    alignment.update(changed);
    doors.update(changed);
  }
  return {
    element,
    update,
    start: () => app.source.live && source.begin(app.wanted()),
    stop: () => over.abort(),
  };
}
