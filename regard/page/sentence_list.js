// The sentences of a text with their translations, and what the model's vocabulary does not have,
// underlined. A click chooses the sentence that all views show.

import {make, put} from './dom.js';

const reasons = {
  words: 'Not in the vocabulary, read as <unk>',
  subwords: 'No piece in the vocabulary, read byte by byte',
};

/** Text by the places of its bytes, which is how the server counts. */
class Bytes {
  constructor(text) {
    this.bytes = new TextEncoder().encode(text);
    this.decoder = new TextDecoder();
  }
  slice(start, end) { return this.decoder.decode(this.bytes.subarray(start, end)); }
  get size() { return this.bytes.length; }
}

/**
 * The unknown parts as they lie in this text: a saved page holds the text normalised, so that
 * places may differ.
 */
function placed(unknown, text) {
  if (unknown.every(({text: own, start, end}) => text.slice(start, end) === own)) return unknown;
  const whole = text.slice(0, text.size);
  const result = [];
  let from = 0;
  for (const {text: own} of unknown) {
    const at = whole.indexOf(own, from);
    if (at < 0) continue;
    from = at + own.length;
    const start = new TextEncoder().encode(whole.slice(0, at)).length;
    result.push({text: own, start, end: start + new TextEncoder().encode(own).length});
  }
  return result;
}

/** The bytes [start, end) of a text with what is unknown in them marked. */
function marked(text, {start, end}, unknown, reason) {
  const parts = [];
  let at = start;
  for (const each of unknown.filter((one) => one.start >= start && one.end <= end)) {
    parts.push(text.slice(at, each.start));
    parts.push(make('span', {class: 'unknown', title: reason}, text.slice(each.start, each.end)));
    at = each.end;
  }
  parts.push(text.slice(at, end));
  return make(
      'span', {class: 'sentence-source', dir: 'auto'}, ...parts.filter((part) => part !== ''));
}

export class SentenceList {
  constructor(app) {
    this.app = app;
    this.list = make('ol', {class: 'sentences', 'aria-label': 'Sentences'});
    this.hint = make('p', {class: 'hint unknown-hint'});
    this.element = make('div', {class: 'sentence-list', hidden: true}, this.list, this.hint);
  }

  update() {
    const {app} = this;
    const {data} = app.trace;
    const text = new Bytes(app.text());
    const whole = app.whole;
    const unknown = placed(whole?.unknown || data.unknown || [], text);
    const sentences = data.sentences || [];
    const several = sentences.length > 1;
    const reason = reasons[app.model?.vocabulary?.kind] || reasons.words;
    this.element.hidden = !several && unknown.length === 0;
    put(this.list,
        ...(several ? sentences : [{start: 0, end: text.size}])
            .map(
                (range, i) => this.item(
                    marked(text, range, unknown, reason), several ? i : -1,
                    whole?.sentences[i]?.translatedText)));
    this.hint.textContent =
        unknown.length ? `Underlined: ${reason[0].toLowerCase()}${reason.slice(1)}.` : '';
  }

  /** A sentence; -1: the only one, which needs no choosing. */
  item(source, index, translation = '') {
    if (index < 0) return make('li', {class: 'only'}, source);
    const {app} = this;
    const chosen = index === (app.trace.data.sentence || 0);
    return make(
        'li', {},
        make(
            'button', {
              type: 'button',
              'aria-current': chosen ? 'true' : undefined,
              on: {click: () => app.set({sentence: index, prefix: ''})},
            },
            source, make('span', {class: 'sentence-target', dir: 'auto'}, translation)));
  }
}
