// What it became: words that can be clicked, those the model was unsure of dotted; the time it took.

import {chanceOf, unsure} from './alignment_panel.js';
import {copyButton} from './copying.js';
import {make, roving} from './dom.js';
import {between} from './source_pane.js';
import {placesOfWords} from './text_places.js';
import {finePercent, fixed, several} from './wording.js';

/** What stands between the translations of sentences in the whole text. */
function gaps(whole) {
  const places = placesOfWords(
      whole.translatedText, whole.sentences.map((each) => each.translatedText));
  return places.map(
      (place, i) => i === 0 ? '' :
          place && places[i - 1] ? whole.translatedText.slice(places[i - 1].end, place.start) :
                                   ' ');
}

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
        'div', {class: 'pane-buttons'},
        copyButton({
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
    this.output.setAttribute('aria-label', `Translation to ${toName || to || 'the target language'}`);
  }

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
    const {data} = app.trace;
    const chosen = data.sentence || 0;
    const own = this.sentence(data, app.trace.request.prefix || '');
    const count = data.sentences?.length || 1;
    const {whole} = app;
    const spaces = whole?.sentences.length === count ? gaps(whole) : [];
    this.output.replaceChildren(...Array.from({length: count}, (_, i) => [
      ...(i ? [between(spaces[i] ?? ' ')] : []),
      this.part(i === chosen ? own : [whole?.sentences[i]?.translatedText || ''], i, count, chosen),
    ]).flat());
    this.buttons.hidden = false;
    this.showFacts(count > 1 ? ` in sentence ${chosen + 1}` : '');
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
    const parts = [];
    let at = 0;
    target.words.forEach((word, index) => {
      const place = places[index];
      if (!place) return;
      parts.push(text.slice(at, place.start), this.word(word, index, index === last));
      at = place.end;
    });
    parts.push(text.slice(at));
    if (this.words[0]) this.words[0].tabIndex = 0;
    return parts.filter((part) => part !== '');
  }

  word(text, index, pinned) {
    const chance = chanceOf(this.app.trace.data.target.tokens.filter((each) => each.word === index));
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

  showFacts(where) {
    const {data} = this.app.trace;
    const {encode = 0, decode = 0} = data.timing_ms || {};
    const time = encode + decode;
    const low = this.chances.filter((chance) => chance < unsure).length;
    const chance = Math.exp(data.log_probability);
    this.facts.title = `probability ${
        chance >= 0.01 || chance === 0 ? `${(chance * 100).toFixed(0)} %` :
                                         chance.toExponential(1)}, log-probability ${
        fixed(data.log_probability, 2)}, score ${fixed(data.score, 3)}`;
    this.facts.replaceChildren(
        `${time.toFixed(time < 10 ? 1 : 0)} ms · `,
        make(
            'span', {class: low ? 'unsure-note' : ''},
            low ? `unsure of ${several(low, 'word')}` : 'no word below 50 %'),
        where,
        where ? '' : make(
            'span', {class: 'tip'},
            this.app.source.live ? ' · click any word to change it' :
                                   ' · click any word for its tokens'));
  }

  /** Which word the reader has chosen, and the way back. */
  showPinned() {
    const prefix = (this.app.trace.request.prefix || '').trim();
    this.pinned.hidden = !prefix;
    if (!prefix) return;
    const reset = () => this.app.set({prefix: ''});
    this.pinned.replaceChildren(
        'You chose ', make('b', {dir: 'auto', title: prefix}, prefix.split(/\s+/).at(-1)), ' · ',
        make('button', {type: 'button', class: 'as-link', on: {click: reset}}, 'Reset'));
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
