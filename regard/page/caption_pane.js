// What a model says of a picture: words to point at, and what is to be said of the whole.

import {copyButton} from './copying.js';
import {make, roving} from './dom.js';
import {strongest} from './look_figure.js';
import {unsureNote, withMarked} from './output_pane.js';
import {placesOfWords} from './text_places.js';
import {finePercent, unsure} from './wording.js';

export class CaptionPane {
  /** point(index): a word is pointed at, -1: none is; choose(index): it was clicked. */
  constructor({point, choose}) {
    Object.assign(this, {point, choose});
    this.words = [];
    this.output = make('div', {
      class: 'translation caption-words',
      dir: 'auto',
      role: 'group',
      'aria-label': 'Caption',
    });
    this.hint = make(
        'p', {class: 'caption-hint'}, 'Point at a word: the picture stays clear where the model looked.');
    this.facts = make('p', {class: 'facts'});
    this.copy = copyButton({
      name: 'Copy',
      label: 'Copy the caption',
      glyph: 'copy',
      text: () => this.output.textContent,
    });
    this.element = make(
        'div', {class: 'caption-pane'}, this.output, this.hint,
        make('div', {class: 'pane-end'}, this.facts, this.copy));
    this.show(null);
  }

  /** answer: of the server, or null; right: the caption that is known to be right, or ''. */
  show(answer, right = '') {
    this.words = [];
    this.copy.hidden = !answer;
    this.hint.hidden = !answer?.words.length;
    this.facts.replaceChildren();
    this.output.replaceChildren();
    if (!answer) return;
    const places = placesOfWords(answer.caption, answer.words.map(({text}) => text));
    this.output.replaceChildren(
        ...withMarked(answer.caption, places, (index) => this.word(answer, index)));
    if (this.words[0]) this.words[0].tabIndex = 0;
    if (answer.words.length === 0)
      this.output.append(make('b', {class: 'empty-note'}, 'The model says nothing of it.'));
    const low = answer.words.filter(({probability}) => probability < unsure).length;
    this.facts.replaceChildren(
        ...(answer.words.length ? [unsureNote(low)] : []),
        ...(right ? [answer.caption === right ? ' · just as it was drawn' :
                                                ` · it was drawn as: ${right}`] :
                    []));
  }

  word({words, patches_across: across}, index) {
    const {text, probability, weights} = words[index];
    const {row, column} = strongest(weights, across);
    const place = this.words.length;
    const element = make(
        'span', {
          class: `output-word${probability < unsure ? ' unsure' : ''}`,
          role: 'button',
          tabindex: '-1',
          title: `${finePercent(probability)}, looked most at row ${row}, column ${column}`,
          'aria-pressed': 'false',
          'data-index': index,
          on: {
            click: () => getSelection().isCollapsed && this.choose(index),
            pointerenter: () => this.point(index),
            pointerleave: () => this.point(-1),
            focus: () => this.point(index),
            blur: () => this.point(-1),
            keydown: (event) => {
              if (event.key === 'Enter' || event.key === ' ')
                this.choose(index);
              else if (roving(
                           this.words, place, event.key,
                           getComputedStyle(element).direction === 'rtl') < 0)
                return;
              event.preventDefault();
            },
          },
        },
        text);
    this.words.push(element);
    return element;
  }

  /** The words that are chosen and pointed at; -1: none. */
  mark(chosen, pointed) {
    for (const word of this.words) {
      const index = Number(word.dataset.index);
      word.setAttribute('aria-pressed', String(index === chosen));
      word.classList.toggle('here', index === chosen);
      word.classList.toggle('lit', index === pointed);
    }
  }
}
