// Where a model looked at each word: the picture once for each, with the numbers as a table.

import {make} from './dom.js';
import {Figure} from './figure.js';
import {drawLook, squared, veiled} from './veil.js';
import {percent} from './wording.js';

const side = 224;  // pixels of a small picture: twice those on the screen
const whole = (head) => head.layer < 0 && head.head < 0;
const numbered = (name, number) => number < 0 ? `all ${name}s` : `${name} ${number + 1}`;

/** "layer 2, head 4", as the command line says it. */
const headText = ({layer, head}) => `${numbered('layer', layer)}, ${numbered('head', head)}`;

/** Row and column, from 1, of the patch that got most. */
export function strongest(weights, across) {
  const at = weights.indexOf(Math.max(...weights));
  return {row: Math.floor(at / across) + 1, column: at % across + 1, weight: weights[at]};
}

export class LookFigure {
  /** point(index), choose(index): as of CaptionPane. */
  constructor({point, choose}) {
    Object.assign(this, {point, choose});
    this.figure = new Figure({
      title: 'Where it looked at each word',
      name: 'looks',
      data: () => this.table(),
      json: () => this.answer,
    });
    this.sheet = make('div', {class: 'look-sheet'});
    this.figure.body.append(this.sheet);
    this.element = this.figure.element;
  }

  /** image: what the answer is about. */
  show(answer, image) {
    Object.assign(this, {answer, image});
    this.draw();
    if (!answer) return this.figure.refresh(false);
    const {head, patches_across: across} = answer;
    this.figure.side.textContent = headText(head);
    const from = whole(head) ? 'The mean of all heads that look at the picture.' :
                               'One head, chosen when the model was trained.';
    this.figure.summary.textContent = `${across} × ${across} patches. ${
        from} Each picture is clear where the weight is largest, whatever that is.`;
    this.figure.refresh(answer.words.length > 0);
  }

  draw() {
    const {answer, image} = this;
    this.panels = [];
    if (!answer || !image) return this.sheet.replaceChildren();
    const clear = squared(image, side);
    const dim = veiled(clear);
    this.panels = answer.words.map((word, i) => this.panel(word, i, {clear, dim}));
    this.sheet.replaceChildren(...this.panels);
  }

  panel({text, probability, weights}, index, {clear, dim}) {
    const across = this.answer.patches_across;
    const {row, column, weight} = strongest(weights, across);
    const canvas = make('canvas', {
      width: side,
      height: side,
      role: 'img',
      'aria-label': `${text}: most at row ${row}, column ${column}, ${percent(weight)}`,
    });
    drawLook(canvas, {clear, dim, weights, across});
    return make(
        'div', {
          class: 'look',
          on: {
            pointerenter: () => this.point(index),
            pointerleave: () => this.point(-1),
            click: () => this.choose(index),
          },
        },
        make('span', {class: 'look-word', dir: 'auto'}, text),
        make('span', {class: 'look-chance'}, percent(probability)), canvas);
  }

  mark(chosen) {
    this.panels?.forEach((panel, i) => panel.classList.toggle('here', i === chosen));
  }

  table() {
    const {words, patches_across: across} = this.answer;
    const patches = words[0]?.weights.map(
        (_, i) => `row ${Math.floor(i / across) + 1}, column ${i % across + 1}`);
    return {
      columns: ['word', 'probability', 'most at row', 'column', ...patches],
      rows: words.map(({text, probability, weights}) => {
        const {row, column} = strongest(weights, across);
        return [text, probability, row, column, ...weights];
      }),
    };
  }
}
