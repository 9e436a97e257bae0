// What is translated: a text field, and under it a layer that shows the same text with its marks
// (words and their partners, unknown words, what is too long). While several sentences are not being
// written, the layer shows them apart instead, each level with its translation.

import {cutWords, readAs} from './cut_words.js';
import {make, say} from './dom.js';
import {icon} from './icons.js';
import {commonStart, inCharacters, placesOfUnknown, placesOfWords} from './text_places.js';
import {count, several} from './wording.js';

const pause = 250;  // milliseconds without typing, after which the text is translated

const reasons = {
  words: 'not in the vocabulary, read as <unk>',
  subwords: 'no piece in the vocabulary, read byte by byte',
};

/** " · wombat read as wom + bat"; of more than two words, how many others. */
function cutHint(cut, joined) {
  const each = [...new Map(cut.map((word) => [word.text, word])).values()];
  const shown = each.slice(0, 2).flatMap(
      (word, i) =>
          [i || joined ? ' · ' : '', make('b', {dir: 'auto'}, word.text), ` ${readAs(word)}`]);
  return each.length > 2 ? [...shown, ` · ${each.length - 2} more`] : shown;
}

/** What is between sentences, which is not shown where they stand apart. */
export const between = (text) => make('span', {class: 'between'}, text);
export const wordsIn = (text) => text.trim() === '' ? 0 : text.trim().split(/\s+/).length;

export class SourcePane {
  /** written(text, now): the text is another one; choose(index): of several sentences. */
  constructor(app, {written, choose, lights, signal}) {
    Object.assign(this, {app, written, choose, lights});
    this.marks = {text: '', sentences: [], words: [], unknown: [], cut: [], chosen: 0};
    this.cleared = null;  // what was translated when the reader emptied the field
    this.over = -1;
    this.text = this.field();
    this.layer = make('div', {class: 'source-layer', dir: 'auto'});
    this.facts = make('p', {class: 'source-facts'});
    this.edit = this.button('edit', 'Edit the text', () => this.text.focus());
    this.clear = this.button('clear', 'Clear the text', () => this.empty());
    this.element = make(
        'div', {
          class: 'text-pane source-pane',
          on: {
            pointermove: (event) => this.point(event),
            pointerleave: () => this.point(null),
            click: (event) => event.target === this.element && this.text.focus(),
          },
        },
        this.text, this.layer,
        make(
            'div', {class: 'pane-end'}, this.facts,
            app.source.live ? make('div', {class: 'pane-buttons'}, this.edit, this.clear) : null));
    this.watchPointer(signal);
    lights.listen((side, index, partners) => this.light(side, index, partners));
  }

  field() {
    const {app} = this;
    return make('textarea', {
      id: 'sentence',
      rows: '1',
      dir: 'auto',
      spellcheck: 'false',
      readOnly: !app.source.live,
      on: {
        input: () => this.typed(),
        focus: () => this.settle(),
        blur: () => this.held || this.settle(),
        keydown: (event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          this.send(true);
        },
      },
    });
  }

  button(glyph, label, click) {
    return make(
        'button', {type: 'button', class: 'icon', title: label, 'aria-label': label, on: {click}},
        icon(glyph));
  }

  /** Nothing may move under a pointer that is pressed, or its click goes elsewhere. */
  watchPointer(signal) {
    const hold = (held) => {
      this.held = held;
      if (!held) setTimeout(() => signal.aborted || this.settle());
    };
    addEventListener('pointerdown', () => hold(true), {signal, capture: true});
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, () => hold(false), {signal, capture: true});
  }

  /** How much of the text is translated: a server reads no more than its limit. */
  get limit() {
    const most = this.app.limits.chars || Infinity;
    const half = /[\uD800-\uDBFF]/.test(this.text.value[most - 1] || '');
    return half ? most - 1 : most;
  }
  content() { return this.text.value.slice(0, this.limit).trim(); }

  typed() {
    this.cleared = this.text.value.trim() === '' ? this.app.wanted() : null;
    this.render();
    clearTimeout(this.timer);
    this.written(this.content(), false);
    this.timer = setTimeout(() => this.send(false), pause);
  }

  send(again) {
    clearTimeout(this.timer);
    if (this.app.source.live && this.content() !== '') this.written(this.content(), true, again);
  }

  /** Another text, from a file or an example. */
  replace(text) {
    this.text.value = text;
    this.cleared = null;
    this.render();
    this.send(false);
  }

  empty() {
    this.text.value = '';
    this.typed();
    clearTimeout(this.timer);
    this.text.focus();
  }

  /** In the language of the model, which may be another now. */
  language({from, fromName, example}) {
    this.text.setAttribute('aria-label', `Text in ${fromName || from || 'the source language'}`);
    this.text.placeholder = example || '';
    this.text.lang = from || '';
  }

  /** Before anything is translated. */
  begin(text) {
    if (!this.text.value) this.text.value = text;
    this.render();
  }

  /** Shows the text of a translation, unless the reader is already writing another. */
  show() {
    const {app} = this;
    const {data} = app.translation;
    const text = app.text();
    if (this.cleared !== null && this.cleared !== app.wanted()) this.cleared = null;
    const writing = document.activeElement === this.text || (this.text.value.length > this.limit && this.content() === text);
    if (this.cleared === null && !(writing && this.text.value)) this.text.value = text;
    const sentences = inCharacters(text, data.sentences?.length > 1 ? data.sentences : []);
    const chosen = data.sentence || 0;
    const own = sentences[chosen] || {start: 0, end: text.length};
    const words = placesOfWords(text, data.source.words, own.start, own.end)
                      .map((place, index) => place && {...place, index})
                      .filter(Boolean);
    const unknown = placesOfUnknown(text, app.whole?.unknown || data.unknown || []);
    this.marks = {text, sentences, chosen, words, unknown, cut: this.cut(text, words, unknown)};
    this.render();
  }

  /** What the model read in pieces, of the sentence that is looked into. */
  cut(text, words, unknown) {
    const {trace, model} = this.app;
    if (!trace || model?.vocabulary?.kind !== 'subwords') return [];
    const known = ({start, end}) => unknown.every((each) => each.end <= start || each.start >= end);
    return cutWords(text, words, trace.data.source.tokens).filter(known);
  }

  reason() { return reasons[this.app.model?.vocabulary?.kind] || reasons.words; }

  /** The layer: the text as it stands in the field, with marks as far as it is what they are of. */
  render() {
    const {value} = this.text;
    const {marks} = this;
    const lead = value.length - value.trimStart().length;
    const same = commonStart(value.slice(lead), marks.text);
    const fresh = value.slice(0, this.limit).trim() === marks.text;
    const moved = (places) => places.filter(({end}) => end <= same)
                                  .map((each) => ({...each, start: each.start + lead, end: each.end + lead}));
    const [words, unknown, cut] = [marks.words, marks.unknown, marks.cut].map(moved);
    const marked = [
      ...unknown.map((each) => ({...each, look: 'unknown', title: this.reason()})),
      ...cut.map((each) => ({...each, look: 'cut', title: readAs(each)})),
    ].sort((a, b) => a.start - b.start);
    const sentences = fresh ? moved(marks.sentences) : [];
    this.several = sentences.length > 1;
    const end = Math.min(value.length, this.limit);
    const ranges = this.several ? sentences : [{start: 0, end}];
    const parts = [];
    let at = 0;
    ranges.forEach((range, i) => {
      parts.push(between(value.slice(at, range.start)));
      parts.push(this.sentence(value, range, i, words, marked));
      at = range.end;
    });
    // A last empty line has its height only with something in it.
    parts.push(
        between(value.slice(at, end)), make('span', {class: 'beyond'}, value.slice(end)),
        between('\u200b'));
    this.layer.replaceChildren(...parts.filter((part) => part.textContent !== ''));
    this.lit = new Map();
    for (const each of this.layer.querySelectorAll('.source-word'))
      this.lit.set(Number(each.dataset.index), each);
    this.showFacts(value, unknown, cut);
    this.settle();
  }

  sentence(value, range, index, words, marks) {
    const own = words.filter(({start, end}) => start >= range.start && end <= range.end);
    const parts = [];
    let at = range.start;
    for (const word of own) {
      parts.push(...this.marked(value, at, word.start, marks));
      parts.push(make(
          'span', {class: 'source-word', 'data-index': word.index},
          ...this.marked(value, word.start, word.end, marks)));
      at = word.end;
    }
    parts.push(...this.marked(value, at, range.end, marks));
    const text = make('span', {class: 'sentence-text', 'aria-hidden': 'true'}, ...parts);
    if (!this.several) return make('span', {class: 'sentence-source'}, text);
    const chosen = index === this.marks.chosen;
    const number = make('button', {
      type: 'button',
      class: 'sentence-number',
      'data-number': index + 1,
      'aria-label': `Sentence ${index + 1}: ${value.slice(range.start, range.end)}`,
      'aria-current': chosen ? 'true' : undefined,
      on: {click: (event) => { event.stopPropagation(); this.choose(index); }},
    });
    const click = (event) => chosen ? this.editAt(event, text, range) : this.choose(index);
    return make(
        'span', {
          class: `sentence-source${chosen ? ' chosen' : ''}`,
          dir: 'auto',
          on: this.app.source.live ? {click} : {},
        },
        number, text);
  }

  /** [from, to) of the text with its marks: {start, end, look, title}. */
  marked(value, from, to, marks) {
    const parts = [];
    let at = from;
    for (const each of marks.filter(({start, end}) => start >= from && end <= to)) {
      parts.push(value.slice(at, each.start));
      parts.push(make(
          'span', {class: each.look, title: each.title}, value.slice(each.start, each.end)));
      at = each.end;
    }
    parts.push(value.slice(at, to));
    return parts.filter((part) => part !== '');
  }

  /** The field takes over, with its caret where the sentence was clicked. */
  editAt(event, text, range) {
    const caret = document.caretRangeFromPoint?.(event.clientX, event.clientY);
    let at = range.end;
    if (caret && text.contains(caret.startContainer)) {
      const before = document.createRange();
      before.setStart(text, 0);
      before.setEnd(caret.startContainer, caret.startOffset);
      at = range.start + before.toString().length;
    }
    this.text.focus();
    this.text.setSelectionRange(at, at);
  }

  /** Sentences apart, or the field. */
  settle() {
    const apart = this.several && document.activeElement !== this.text;
    this.element.classList.toggle('apart', apart);
    this.layer.classList.toggle('sentences', this.several);
    this.edit.hidden = !apart;
    this.clear.hidden = this.text.value === '';
  }

  showFacts(value, unknown, cut) {
    const {limit} = this;
    const {sentences} = this.marks;
    const words = several(wordsIn(value), 'word');
    const names = [...new Set(unknown.map((each) => each.text))];
    const parts = value.length > limit ?
        [`${count(value.length)} characters. The server reads ${count(limit)}: the underlined rest is not translated.`] :
        !this.app.source.live ? ['A saved translation. regard serve translates others.'] :
        this.several ?
        [`${words} in ${sentences.length} sentences, each translated by itself`] :
        [wordsIn(value) ? words : ''];
    this.facts.classList.toggle('beyond-hint', value.length > limit);
    this.facts.replaceChildren(
        ...parts,
        ...(names.length ? [
          make(
              'span', {class: 'unknown-hint'}, parts[0] ? ' · ' : '',
              ...names.slice(0, 4).flatMap(
                  (name, i) => [i ? ', ' : '', make('b', {dir: 'auto'}, name)]),
              `${names.length > 4 ? ` and ${names.length - 4} more` : ''}: ${this.reason()}`),
        ] :
                          []),
        ...(cut.length ? [make('span', {class: 'cut-hint'}, ...cutHint(cut, parts[0]))] : []));
  }

  /** Until the text is another one. */
  complain(text) {
    this.facts.classList.add('beyond-hint');
    this.facts.textContent = text;
    say(text);
  }

  point(event) {
    // The field lies above the words: they are looked for under it.
    const under = event ? document.elementsFromPoint(event.clientX, event.clientY) : [];
    const word = under.find((each) => each.classList.contains('source-word'));
    const index = word ? Number(word.dataset.index) : -1;
    this.text.title = under.find((each) => each.matches('.unknown, .cut'))?.title || '';
    if (index === this.over) return;
    this.over = index;
    index < 0 ? this.lights.point() : this.lights.point(0, index);
  }

  light(side, index, partners = []) {
    const lit = side === 0 ? [index] : side === 1 ? partners : [];
    for (const [i, word] of this.lit || [])
      word.className = `source-word${lit.includes(i) ? side === 0 ? ' lit' : ' partner' : ''}`;
  }
}
