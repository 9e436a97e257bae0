// Other words at one place of the translation, each with what the rest becomes after it. Choosing
// one keeps the words up to it, and the rest is translated again.

import {make, say} from './dom.js';
import {finePercent, quoted, several} from './wording.js';

const count = 6;

/** Which of the words are not in the longest sequence that both lists have. */
export function changedWords(before, after) {
  const longest = before.concat(0).map(() => new Array(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; --i)
    for (let j = after.length - 1; j >= 0; --j)
      longest[i][j] = before[i] === after[j] ? longest[i + 1][j + 1] + 1 :
                                               Math.max(longest[i + 1][j], longest[i][j + 1]);
  const changed = new Array(after.length).fill(true);
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j] && longest[i][j] === longest[i + 1][j + 1] + 1)
      changed[j] = false, ++i, ++j;
    else if (longest[i + 1][j] >= longest[i][j + 1])
      ++i;
    else
      ++j;
  }
  return changed;
}

/** What the sentence becomes from the word before the chosen one on; what is new is marked. */
function preview(before, word, restBefore, restAfter) {
  const changed = changedWords(restBefore, restAfter);
  return make(
      'span', {class: 'choice-rest', dir: 'auto'}, before.length > 1 ? '… ' : '',
      ...before.slice(-1).map((each) => `${each} `), make('em', {}, word),
      ...restAfter.flatMap((each, i) => [' ', changed[i] ? make('em', {}, each) : each]));
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
    this.fetch();
  }

  async fetch() {
    const {app, element} = this;
    const {trace} = app;
    try {
      const {top, split, sentence, prefix, ...request} = trace.request;
      const {alternatives} = await app.source.alternatives(
          {...request, q: trace.data.source.text, prefix: this.prefix, count});
      if (trace !== app.trace || !element.isConnected) return;
      element.replaceChildren(...alternatives.map((each) => this.row(each)));
      if (alternatives.length === 0) element.textContent = 'No word found.';
      else
        this.ready(
            element.querySelector('[aria-current]') || element.querySelector('button:enabled'));
      say(`${several(alternatives.length, 'possible word')}`);
    } catch (error) {
      element.textContent = error.message;
      say(error.message);
      if (error.wantsKey) app.refused(error);
    }
    element.removeAttribute('aria-busy');
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
            preview(this.words.slice(0, this.place), word, this.words.slice(this.place + 1), after) :
            null);
  }

  choose(word) {
    const {app} = this;
    if (word === this.words[this.place]) return this.keep();
    say(`You chose ${quoted(word)}`);
    app.set({prefix: this.prefix ? `${this.prefix} ${word}` : word});
  }

  walk(event) {
    const step = {ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling'}[event.key];
    if (!step) return;
    event.preventDefault();
    event.currentTarget[step]?.focus();
  }
}
