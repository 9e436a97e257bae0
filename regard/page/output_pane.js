// What it became: words that can be clicked, those the model was unsure of dotted; the time it
// took.

import {chanceOf} from './alignment_panel.js';
import {chosenToken} from './chosen_word.js';
import {copyButton} from './copying.js';
import {make, put, roving} from './dom.js';
import {between} from './source_pane.js';
import {placesOfWords} from './text_places.js';
import {finePercent, fixed, several, unsure} from './wording.js';

/** What stands between the translations of sentences in the whole text. */
function gaps(whole) {
  const places =
      placesOfWords(whole.translatedText, whole.sentences.map((each) => each.translatedText));
  return places.map(
      (place, i) => i === 0      ? '' :
          place && places[i - 1] ? whole.translatedText.slice(places[i - 1].end, place.start) :
                                   ' ');
}

/** A text with what mark(index) makes of the words at those places; null: a word is not there. */
export function withMarked(text, places, mark) {
  const parts = [];
  let at = 0;
  places.forEach((place, index) => {
    if (!place) return;
    parts.push(text.slice(at, place.start), mark(index));
    at = place.end;
  });
  parts.push(text.slice(at));
  return parts.filter((part) => part !== '');
}

/** A sentence that is not looked into: what the model was unsure of is dotted all the same. */
function dotted({translatedText: text, words = []}) {
  const places = placesOfWords(text, words.map((each) => each.text));
  const low = places.map((place, i) => words[i].probability < unsure ? place : null);
  const mark = (i) =>
      make('span', {class: 'unsure', title: finePercent(words[i].probability)}, words[i].text);
  return withMarked(text, low, mark);
}

/** "unsure of 2 words". */
export const unsureNote = (low) => make(
    'span', {class: low ? 'unsure-note' : ''},
    low ? `unsure of ${several(low, 'word')}` : 'no word below 50 %');

const emptyNote = (text) => make('b', {class: 'empty-note'}, text);

export class OutputPane {
  /** picked(index, word): a word was clicked. */
  constructor(app, {picked, choose, lights}) {
    Object.assign(this, {app, picked, choose, lights});
    this.words = [];
    this.output = make('output', {
      class: 'translation',
      dir: 'auto',
      id: 'translation',
      'for': 'sentence',
      'aria-label': 'Translation',
      'aria-live': 'off',  // it is said once, when it came
    });
    this.facts = make('p', {class: 'facts'});
    this.pinned = make('p', {class: 'pinned', hidden: true});
    this.buttons = make(
        'div', {class: 'pane-buttons'}, copyButton({
          name: '',
          label: 'Copy a link to this sentence',
          glyph: 'link',
          text: () => location.href,
        }),
        copyButton({
          name: 'Copy',
          label: 'Copy the translation',
          glyph: 'copy',
          text: () => this.output.textContent,
        }));
    this.element = make(
        'div', {class: 'text-pane output-pane'}, this.output,
        make(
            'div', {class: 'pane-end'}, make('div', {class: 'pane-facts'}, this.pinned, this.facts),
            this.buttons));
    lights.listen((side, index, partners) => this.light(side, index, partners));
  }

  language({to, toName}) {
    this.output.lang = to || '';
    this.output.setAttribute(
        'aria-label', `Translation to ${toName || to || 'the target language'}`);
  }

  isEmpty() { return this.output.textContent === ''; }

  /** The reader has emptied the text. */
  empty() {
    this.output.replaceChildren();
    this.words = [];
    this.facts.textContent = '';
    this.pinned.hidden = true;
    this.buttons.hidden = true;
  }

  show() {
    const {app} = this;
    const {data, request} = app.translation;
    const chosen = data.sentence || 0;
    const own = this.sentence(data, request.prefix || '');
    const count = data.sentences?.length || 1;
    const {whole} = app;
    const spaces = whole?.sentences.length === count ? gaps(whole) : [];
    const content = (i) => i === chosen && (app.trace || !whole?.sentences[i]) ? own :
        whole?.sentences[i]                                                     ? dotted(whole.sentences[i]) :
                                                                                  [];
    const parts = Array.from({length: count}, (_, i) => this.part(content(i), i, count, chosen));
    this.output.replaceChildren(
        ...parts.flatMap((part, i) => i ? [between(spaces[i] ?? ' '), part] : [part]));
    this.buttons.hidden = false;
    if (app.trace)
      this.showFacts(chosen, count);
    else
      this.showUntraced();
    this.showPinned();
  }

  part(content, index, count, chosen) {
    const other = count > 1 && index !== chosen && this.app.source.live;
    return make(
        'span', {
          class: `sentence-target${count > 1 && index === chosen ? ' chosen' : ''}`,
          dir: 'auto',
          on: other ? {click: () => this.choose(index)} : {},
        },
        ...content);
  }

  /** The words of the sentence at hand, and what is between them. */
  sentence({translatedText: text, target}, prefix) {
    const places = placesOfWords(text, target.words);
    const last = prefix.trim() ? prefix.trim().split(/\s+/).length - 1 : -1;
    this.words = [];
    this.chances = [];
    const parts = withMarked(
        text, places, (index) => this.word(target.words[index], index, index === last));
    if (this.words[0]) this.words[0].tabIndex = 0;
    return parts;
  }

  word(text, index, pinned) {
    const chance =
        chanceOf(this.app.trace.data.target.tokens.filter((each) => each.word === index));
    this.chances.push(chance);
    const place = this.words.length;
    const pick = () => getSelection().isCollapsed && this.picked(index, element);
    // No <button>: the text of one cannot be selected.
    const element = make(
        'span', {
          class: `output-word${chance < unsure ? ' unsure' : ''}${pinned ? ' pinned-word' : ''}`,
          role: 'button',
          tabindex: '-1',
          title: `${finePercent(chance)}${pinned ? ', your choice' : ''}`,
          'aria-haspopup': 'dialog',
          'data-index': index,
          on: {
            click: pick,
            pointerenter: () => this.lights.point(1, index),
            pointerleave: () => this.lights.point(),
            focus: () => this.lights.point(1, index),
            blur: () => this.lights.point(),
            keydown: (event) => {
              const rightToLeft = getComputedStyle(element).direction === 'rtl';
              if (event.key === 'Enter' || event.key === ' ')
                this.picked(index, element);
              else if (roving(this.words, place, event.key, rightToLeft) < 0)
                return;
              event.preventDefault();
            },
          },
        },
        text);
    this.words.push(element);
    return element;
  }

  /**
   * Of how many words the model was unsure in the sentences but `chosen`; null: they have not come,
   * or without their words.
   */
  unsureElsewhere(chosen) {
    const others = this.app.whole?.sentences.filter((_, i) => i !== chosen);
    if (!others?.every(({words}) => words)) return null;
    return others.flatMap(({words}) => words).filter((each) => each.probability < unsure).length;
  }

  showUntraced() {
    const low = this.unsureElsewhere(-1);
    this.facts.title = '';
    this.facts.replaceChildren(
        'translated without a look inside', ...(low === null ? [] : [' · ', unsureNote(low)]));
  }

  showFacts(chosen, count) {
    const {data} = this.app.trace;
    const {encode = 0, decode = 0} = data.timing_ms || {};
    const time = encode + decode;
    const here = this.chances.filter((chance) => chance < unsure).length;
    const elsewhere = count > 1 ? this.unsureElsewhere(chosen) : 0;
    const number = chosen + 1;
    const chance = Math.exp(data.log_probability);
    this.facts.title = `${count > 1 ? `sentence ${number}: ` : ''}probability ${
        chance >= 0.01 || chance === 0 ? `${(chance * 100).toFixed(0)} %` :
                                         chance.toExponential(1)}, log-probability ${
        fixed(data.log_probability, 2)}, score ${fixed(data.score, 3)}`;
    this.facts.replaceChildren(
        this.app.trace.given ? 'given, not searched · ' :
                               `${time.toFixed(time < 10 ? 1 : 0)} ms${
                                   count > 1 ? ` for sentence ${number}` : ''} · `,
        ...(count === 1 && this.nothing() ?
                [emptyNote('the translation is empty')] :
                [
                  unsureNote(here + (elsewhere || 0)),
                  count === 1            ? '' :
                      elsewhere === null ? ` in sentence ${number}` :
                                           ` in ${count} sentences`,
                  count > 1 ? this.nothing() ? emptyNote(` · the translation of sentence ${number} is empty`) : '' :
                              this.clickTip(),
                ]));
  }

  /** Whether the model ended the sentence at hand before its first word. */
  nothing() { return this.app.translation.data.translatedText.trim() === ''; }

  clickTip() {
    return make(
        'span', {class: 'tip'},
        this.app.source.live ? ' · click any word to change it' :
                               ' · click any word for its tokens');
  }

  /** Which word the reader has chosen, and the way back. */
  showPinned() {
    const {app} = this;
    const prefix = (app.translation.request.prefix || '').trim();
    const focused = this.pinned.contains(document.activeElement);
    this.pinned.hidden = !prefix;
    if (!prefix) {
      if (focused) this.words.find((word) => word.tabIndex === 0)?.focus();
      return;
    }
    const undo = () => app.set({prefix: app.undo.get(app.state.prefix) || ''});
    put(this.pinned, 'You chose ',
        make('b', {dir: 'auto', title: prefix}, prefix.split(/\s+/).at(-1)), ' · ',
        make('button', {type: 'button', class: 'as-link', on: {click: undo}}, 'Undo'));
  }

  /** The word that stands at a place goes on with the keyboard. */
  focus(index) {
    const found = this.words.find((word) => Number(word.dataset.index) === index);
    if (!found) return;
    for (const word of this.words) word.tabIndex = word === found ? 0 : -1;
    found.focus();
  }

  /** Marks the word that is chosen, here or in another view. */
  mark() {
    const {state, trace} = this.app;
    const chosen = state.side ? trace.data.target.tokens[chosenToken(this.app, 'target')].word : -1;
    for (const word of this.words) {
      const here = Number(word.dataset.index) === chosen;
      word.classList.toggle('here', here);
      if (here)
        word.setAttribute('aria-current', 'true');
      else
        word.removeAttribute('aria-current');
    }
  }

  light(side, index, partners = []) {
    const lit = side === 1 ? [index] : side === 0 ? partners : [];
    for (const word of this.words) {
      const own = lit.includes(Number(word.dataset.index));
      word.classList.toggle('lit', own && side === 1);
      word.classList.toggle('partner', own && side === 0);
    }
  }
}
