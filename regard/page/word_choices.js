// Other words at one place of the translation, each with what the rest becomes after it. Choosing
// one keeps the words up to it, and the rest is translated again.

import {placesInCommon} from './common_words.js';
import {make, say} from './dom.js';
import {Turn} from './turn.js';
import {count, finePercent, quoted, several} from './wording.js';

const most = 6;

/** Each word is a search of its own, and a server limits hypotheses times tokens. */
function howMany({limits, trace}) {
  const tokens = Math.max(1, trace.data.source.tokens.length - 1);  // without the end
  const hypotheses = limits.work ? Math.floor(limits.work / tokens) : Infinity;
  return {
    tokens,
    count: Math.min(most, Math.floor(hypotheses / trace.request.beam)),
    widest: Math.floor(hypotheses / 2),
  };
}

/** With one search alone, the word that stands there would be the only one. */
const tooLong = ({tokens, widest}, beam) =>
    `This sentence has ${count(tokens)} tokens: too many to search for other words with beam size ${beam}. With beam size ${widest} or smaller there is room.`;

/** What the sentence becomes from the word before the chosen one on; what is new is marked. */
function preview(before, word, restBefore, restAfter) {
  const kept = placesInCommon(restBefore, restAfter);
  return make(
      'span', {class: 'choice-rest', dir: 'auto'}, before.length > 1 ? '… ' : '',
      ...before.slice(-1).map((each) => `${each} `), make('em', {}, word),
      ...restAfter.flatMap((each, i) => [' ', kept[i] < 0 ? make('em', {}, each) : each]));
}

/** The words of the translation, and the place of the one that others may stand for. */
export class WordChoices {
  /**
   * ready(row): they have come; row: that of the word that stands there, or the first. keep(): it
   * stays.
   */
  constructor(app, words, place, {ready, keep}) {
    this.app = app;
    Object.assign(this, {ready, keep});
    this.words = words;
    this.place = place;
    this.prefix = words.slice(0, place).join(' ');
    this.element = make('div', {class: 'choices', 'aria-busy': 'true'});
    this.turn = new Turn();
    this.fetch();
  }

  async fetch() {
    const {app, element} = this;
    const {trace} = app;
    const signal = this.turn.next();
    const fitting = howMany(app);
    if (fitting.count < 2) return this.explain(tooLong(fitting, trace.request.beam));
    try {
      const {top, split, sentence, prefix, ...request} = trace.request;
      const {alternatives} = await app.source.alternatives(
          {...request, q: trace.data.source.text, prefix: this.prefix, count: fitting.count},
          signal);
      if (signal.aborted) return;
      element.replaceChildren(...alternatives.map((each) => this.row(each)));
      if (alternatives.length === 0)
        element.textContent = 'No word found.';
      else
        this.ready(
            element.querySelector('[aria-current]') || element.querySelector('button:enabled'));
      say(`${several(alternatives.length, 'possible word')}`);
    } catch (error) {
      if (signal.aborted) return;
      this.explain(error.message);
      if (error.wantsKey) app.refused(error);
    }
    element.removeAttribute('aria-busy');
  }

  /** Why there are no other words. */
  explain(text) {
    this.element.textContent = text;
    this.element.removeAttribute('aria-busy');
    say(text);
  }

  row({word, probability, translatedText}) {
    const chosen = word === this.words[this.place];
    const after = translatedText.split(' ').slice(this.place + 1);
    return make(
        'button', {
          type: 'button',
          class: 'choice',
          disabled: word === '',  // a search cannot be told to end
          'aria-current': chosen ? 'true' : undefined,
          'aria-label': `${word || 'end here'}, ${finePercent(probability)}${
              word ? `, then: ${after.join(' ') || 'the end'}` : ''}`,
          on: {click: () => this.choose(word), keydown: (event) => this.walk(event)},
        },
        make('span', {class: 'option-text', dir: 'auto'}, word || '(end here)'),
        make(
            'span', {class: 'option-bar'},
            make('span', {style: {width: `${Math.max(0.5, probability * 100)}%`}})),
        make('span', {class: 'option-number'}, finePercent(probability)),
        word && !chosen ?
            preview(
                this.words.slice(0, this.place), word, this.words.slice(this.place + 1), after) :
            null);
  }

  choose(word) {
    const {app} = this;
    if (word === this.words[this.place]) return this.keep();
    say(`You chose ${quoted(word)}`);
    const prefix = this.prefix ? `${this.prefix} ${word}` : word;
    // A link may have brought a choice, before which there was none.
    if (app.state.prefix && !app.undo.has(app.state.prefix)) app.undo.set(app.state.prefix, '');
    // Who returns to an earlier choice has nothing more to undo than then.
    if (!app.undo.has(prefix)) app.undo.set(prefix, app.state.prefix);
    app.set({prefix});
  }

  walk(event) {
    const step = {ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling'}[event.key];
    if (!step) return;
    event.preventDefault();
    event.currentTarget[step]?.focus();
  }
}
